import type { FastifyBaseLogger } from "fastify";
import { isPromise } from "../promise.js";
import type { Lease } from "./deduplication.js";
import type { Outcome } from "./outcome.js";
import { readableError } from "./thrown.js";

/**
 * Extends a lease at half its time, so that no other delivery starts a handler that still runs.
 *
 * @returns what stops it
 */
export function keepLease(
  lease: Lease,
  leaseMs: number | undefined,
  log: FastifyBaseLogger,
): (() => void) | undefined {
  if (leaseMs === undefined || leaseMs === Number.POSITIVE_INFINITY) return undefined;
  const timer = setInterval(() => void extend(lease, log), leaseMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

async function extend(lease: Lease, log: FastifyBaseLogger): Promise<void> {
  try {
    await lease.extend();
  } catch (error) {
    log.error(
      { err: readableError(error) },
      "lease could not be extended: the event may be handled twice",
    );
  }
}

/**
 * Stores what became of an event: only a handled one is not to be handled again.
 *
 * @returns a promise, which never rejects, only where the store needs time
 */
export function settleLease(
  lease: Lease,
  outcome: Outcome,
  log: FastifyBaseLogger,
): PromiseLike<void> | undefined {
  try {
    const settling = outcome === "handled" ? lease.done() : lease.release();
    if (!isPromise(settling)) return undefined;
    return settling.then(undefined, (error) => logNotStored(error, outcome, log));
  } catch (error) {
    logNotStored(error, outcome, log);
    return undefined;
  }
}

function logNotStored(error: unknown, outcome: Outcome, log: FastifyBaseLogger): void {
  log.error(
    { err: readableError(error), outcome },
    "outcome not stored: the event may be handled again",
  );
}
