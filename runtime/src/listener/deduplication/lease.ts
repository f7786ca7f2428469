import type { FastifyBaseLogger } from "fastify";
import type { Lease } from "../../deduplication/index.js";
import { loggableError } from "../telemetry/index.js";

/**
 * Extends a lease at half its time, so that no other delivery of the event starts a handler while
 * this one runs.
 *
 * @returns a function that stops it
 */
export function keepLease(lease: Lease, leaseMs: number, log: FastifyBaseLogger): () => void {
  if (leaseMs === Number.POSITIVE_INFINITY) return () => {};
  const timer = setInterval(() => void extend(lease, log), leaseMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

async function extend(lease: Lease, log: FastifyBaseLogger): Promise<void> {
  try {
    await lease.extend();
  } catch (error) {
    log.error(
      { err: loggableError(error) },
      "lease could not be extended: the event may be handled twice",
    );
  }
}
