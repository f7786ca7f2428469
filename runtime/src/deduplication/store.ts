import type { Log } from "../observability/index.js";
import type { EventKey } from "./event-key.js";

/**
 * The answer to a claim: a lease, which is the right to handle the event and any object that the store
 * recognises, or `"done"` when the event has been handled, or `"running"` while it is being handled.
 */
export type Claim<Lease extends object = object> = Lease | "done" | "running";

/** A lease whose outcome is known. */
export interface SettledLease<Lease extends object = object> {
  readonly lease: Lease;
  /** Whether the event was handled, and is remembered. Otherwise it can be handled again. */
  readonly isHandled: boolean;
}

/**
 * Remembers which events were handled.
 *
 * The default is in memory. Replicas that share a store (in Redis, in a database) do not handle an
 * event again that another replica has handled. A claim must be atomic.
 *
 * A store that fails or does not answer loses no event: if `claim` fails, the delivery is answered with
 * 503. An event whose outcome is not stored counts as handled. A `settle` that fails is called again,
 * every second for ten minutes, so calling it twice must do no harm.
 *
 * Each call is about the events of one delivery, which have one consumer and one subscription.
 *
 * @typeParam Lease what the store needs to settle or extend a claim, such as a key and a random token
 */
export interface DeduplicationStore<Lease extends object = object> {
  /**
   * How long a lease lasts unless it is extended, in milliseconds: 1 to 2,147,483,647, or `Infinity`
   * if it never expires.
   */
  readonly leaseMs: number;
  /**
   * Claims events. A key that occurs again in the list is `"running"` there.
   *
   * @returns a claim for each key, in their order
   */
  claim(keys: readonly EventKey[]): readonly Claim<Lease>[] | Promise<readonly Claim<Lease>[]>;
  /**
   * Remembers events as handled, whether their lease has expired or not, and releases the others, so
   * that they can be handled again. A lease that has expired while another one holds the event, or
   * whose event was handled, releases nothing.
   */
  settle(outcomes: readonly SettledLease<Lease>[]): void | Promise<void>;
  /**
   * Restarts the time of leases. Called at half of it for as long as handlers run. Changes nothing for
   * a lease that has expired while another one holds the event.
   */
  extend(leases: readonly Lease[]): void | Promise<void>;
  /**
   * Called when a listener or a receiver starts. The log is for settings of the store's engine that do
   * harm.
   */
  open?(log: Log): void;
}
