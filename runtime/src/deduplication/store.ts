import type { Log } from "../observability/index.js";

/** The properties by which an event is recognised when it is delivered again. */
export interface EventKey {
  /**
   * What received the event: a webhook, by its application's client ID followed by its path, or a
   * receiver, by the URL of its queue without `https://`. It keeps those apart that share a store and
   * receive the same events.
   */
  readonly consumer: string;
  /** In lower case; empty when the delivery did not name its subscription. */
  readonly subscriptionName: string;
  readonly source: string;
  /** The event's ID, or what the option `deduplicationKey` returned instead. */
  readonly id: string;
}

/** The right to handle an event, held by one process for a limited time. */
export interface Lease {
  /**
   * Restarts the lease's time. Called at half of it for as long as the handler runs. Does nothing if
   * the lease has expired and another one holds the event.
   */
  extend(): void | Promise<void>;
  /** Remembers the event as handled, whether the lease has expired or not. */
  done(): void | Promise<void>;
  /**
   * Releases the event, so that it can be handled again. Does nothing if the lease has expired and
   * another one holds the event, or if the event was handled.
   */
  release(): void | Promise<void>;
}

/** A lease whose outcome is known. */
export interface SettledLease {
  readonly lease: Lease;
  /** Whether the event was handled: `done`, otherwise `release`. */
  readonly isHandled: boolean;
}

/** A lease, or `"done"` when the event has been handled, or `"running"` when it is being handled. */
export type Claim = Lease | "done" | "running";

/**
 * Remembers which events were handled.
 *
 * The default is in memory. Replicas that share a store (in Redis, in a database) do not handle an
 * event again that another replica has handled. `claim` must be atomic.
 *
 * A store that fails or does not answer loses no event: a failed `claim` is answered with 503. An
 * event whose `done` fails counts as handled. A `done` or `release` that fails is called again, every
 * second for ten minutes, so calling it twice must do no harm.
 */
export interface DeduplicationStore {
  /**
   * How long a lease lasts unless it is extended, in milliseconds: 1 to 2,147,483,647, or `Infinity`
   * if it never expires.
   */
  readonly leaseMs: number;
  claim(key: EventKey): Claim | Promise<Claim>;
  /**
   * Claims the events of one delivery together, in their order. Without it each is claimed by a call
   * of its own, all at the same time.
   */
  claimMany?(keys: readonly EventKey[]): readonly Claim[] | Promise<readonly Claim[]>;
  /** Settles leases of this store together. Without it they are settled one by one. */
  settleMany?(settlements: readonly SettledLease[]): void | Promise<void>;
  /**
   * Called when a listener or a receiver starts. The log is for settings of the store's engine that do
   * harm.
   */
  open?(log: Log): void;
  /** Releases connections that the store opened itself. Called when listener or receiver has closed. */
  close?(): void | Promise<void>;
}
