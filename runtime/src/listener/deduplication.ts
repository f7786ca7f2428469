import { shownValue } from "../binding/shown-value.js";

/** What makes an event the same event when it is delivered again. */
export interface EventKey {
  /** In lower case; empty when the delivery did not name its subscription. */
  readonly subscriptionName: string;
  readonly source: string;
  readonly id: string;
}

/** The right to handle an event, held by one process for a while. */
export interface Lease {
  /** Makes the lease start anew; called at half its time for as long as the handler runs. */
  extend(): void | Promise<void>;
  /** Remembers the event as handled. */
  done(): void | Promise<void>;
  /** Gives the event back, to be handled again. */
  release(): void | Promise<void>;
}

/** A lease; or that the event was handled before; or that another delivery of it is running. */
export type Claim = Lease | "done" | "running";

/**
 * Remembers which events were handled.
 *
 * One in memory is the default. Replicas that share one (in Redis, in a database) do not handle
 * again what another of them has handled. `claim` must be atomic; `extend`, `done` and `release`
 * must do nothing when the lease has run out and someone else holds the event.
 *
 * A store that throws costs no event: a failed `claim`, or one that is none, is answered with 503,
 * and an event whose `done` fails counts as handled, and may come again.
 */
export interface DeduplicationStore {
  /**
   * How long a lease holds unless it is extended, in milliseconds: 1 to 2,147,483,647, or `Infinity`
   * where it never ends.
   */
  readonly leaseMs: number;
  claim(key: EventKey): Claim | Promise<Claim>;
}

/** @internal Whether a claim is a lease: a store of somebody else's may give anything. */
export function isLease(claim: Claim | undefined): claim is Lease {
  return (
    typeof claim === "object" &&
    claim !== null &&
    typeof claim.extend === "function" &&
    typeof claim.done === "function" &&
    typeof claim.release === "function"
  );
}

/** @internal What is wrong with what is no claim. */
export function noClaim(claim: unknown): string {
  return `the deduplication store's claim is ${shownValue(claim)}: it must be a lease with extend, done and release, "done", or "running"`;
}
