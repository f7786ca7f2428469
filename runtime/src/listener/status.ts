import { InvalidBodyError } from "../events/envelope/index.js";
import type { Outcome } from "../handling/index.js";
import { BodyTakenError } from "./exchange.js";
import { Refusal } from "./intake/index.js";

/**
 * The response status of a delivery whose events ended like this. Event Grid retries 503 and never
 * retries 400, so one event to be retried outweighs any number of rejected ones.
 */
export function statusOf(outcomes: Iterable<Outcome>): 200 | 400 | 503 {
  let status: 200 | 400 = 200;
  for (const outcome of outcomes) {
    switch (outcome) {
      case "failed":
      case "timed-out":
      case "in-progress":
      case "deferred":
        return 503;
      case "rejected":
      case "malformed":
        status = 400;
    }
  }
  return status;
}

/** The response status of a delivery or request that failed as a whole. */
export function statusOfError(error: unknown): number {
  if (error instanceof InvalidBodyError) return 400;
  if (error instanceof Refusal) return error.status;
  if (error instanceof BodyTakenError) return 503;
  // Fastify's own errors, such as an invalid Content-Type, have a `statusCode`.
  if (error instanceof Error && "statusCode" in error && typeof error.statusCode === "number") {
    return error.statusCode >= 400 && error.statusCode < 600 ? error.statusCode : 500;
  }
  return 500;
}
