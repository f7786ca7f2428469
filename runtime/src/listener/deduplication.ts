import { ListenerConfigurationError } from "./configuration-error.js";

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
 * A store that throws costs no event: a failed `claim` is answered with 503, and an event whose
 * `done` fails counts as handled, and may come again.
 */
export interface DeduplicationStore {
  /** How long a lease holds unless it is extended, in milliseconds; `Infinity` where it never ends. */
  readonly leaseMs: number;
  claim(key: EventKey): Claim | Promise<Claim>;
}

export interface MemoryDeduplicationOptions {
  /**
   * How many handled events are remembered; the oldest are forgotten first.
   * @default 50_000
   */
  readonly maxEvents?: number;
  /**
   * For how long, in milliseconds. Event Grid tries for a day at most.
   * @default 24 hours
   */
  readonly rememberMs?: number;
  /** @default Date.now */
  readonly clock?: () => number;
}

/** The largest batch that a subscription can ask for. */
export const LARGEST_BATCH = 5_000;

/** Remembers handled events in this process. */
export class MemoryDeduplication implements DeduplicationStore {
  /** Claims live and die with the process. */
  readonly leaseMs = Number.POSITIVE_INFINITY;
  readonly #maxEvents: number;
  readonly #rememberMs: number;
  readonly #clock: () => number;
  /** When each event was handled, oldest first. */
  readonly #handled = new Map<string, number>();
  readonly #running = new Set<string>();

  /** @throws ListenerConfigurationError when `maxEvents` is below the largest batch, 5000 */
  constructor(options: MemoryDeduplicationOptions = {}) {
    this.#maxEvents = options.maxEvents ?? 50_000;
    this.#rememberMs = options.rememberMs ?? 24 * 60 * 60 * 1000;
    this.#clock = options.clock ?? Date.now;
    if (!(this.#maxEvents >= LARGEST_BATCH)) {
      throw new ListenerConfigurationError([
        `maxEvents of the deduplication is ${this.#maxEvents}, but a batch can have ${LARGEST_BATCH}: with fewer, its first events are forgotten before its last are handled`,
      ]);
    }
  }

  claim({ subscriptionName, source, id }: EventKey): Claim {
    // Neither name nor source can hold a line end: the three cannot run into each other.
    const key = `${subscriptionName}\n${source}\n${id}`;
    if (this.#running.has(key)) return "running";
    const handledAt = this.#handled.get(key);
    if (handledAt !== undefined) {
      if (this.#clock() - handledAt < this.#rememberMs) return "done";
      this.#handled.delete(key);
    }
    this.#running.add(key);
    return new MemoryLease(this, key);
  }

  /** @internal */
  settle(key: string, handled: boolean): void {
    if (!this.#running.delete(key) || !handled) return;
    this.#handled.set(key, this.#clock());
    if (this.#handled.size > this.#maxEvents) {
      const [oldest] = this.#handled.keys();
      if (oldest !== undefined) this.#handled.delete(oldest);
    }
  }
}

class MemoryLease implements Lease {
  readonly #store: MemoryDeduplication;
  readonly #key: string;

  constructor(store: MemoryDeduplication, key: string) {
    this.#store = store;
    this.#key = key;
  }

  extend(): void {}

  done(): void {
    this.#store.settle(this.#key, true);
  }

  release(): void {
    this.#store.settle(this.#key, false);
  }
}
