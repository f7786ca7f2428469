import type { FastifyBaseLogger } from "fastify";
import type { Lease } from "./deduplication.js";

/**
 * Extends a lease at half its time, so that no other delivery starts a handler that still runs.
 *
 * @returns what stops it
 */
export function keepLease(
  lease: Lease,
  leaseMs: number,
  log: FastifyBaseLogger,
): (() => void) | undefined {
  if (leaseMs === Number.POSITIVE_INFINITY) return undefined;
  const timer = setInterval(() => void extend(lease, log), leaseMs / 2);
  timer.unref();
  return () => clearInterval(timer);
}

async function extend(lease: Lease, log: FastifyBaseLogger): Promise<void> {
  try {
    await lease.extend();
  } catch (error) {
    log.error({ err: error }, "lease could not be extended: the event may be handled twice");
  }
}
