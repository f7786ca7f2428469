import { ListenerConfigurationError } from "./configuration-error.js";
import type { Claim, DeduplicationStore, EventKey, Lease } from "./deduplication.js";

export interface MemoryDeduplicationOptions {
  /**
   * How many handled events are remembered at least; twice as many are held at most.
   * @default 20_000
   */
  readonly events?: number;
  /**
   * For how long they are remembered at most, in milliseconds. Event Grid tries for a day.
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
  readonly #events: number;
  readonly #rememberMs: number;
  readonly #clock: () => number;
  // Two generations, each with the time when its events were handled, or RUNNING. To forget the
  // older one as a whole is cheap; a map that loses its oldest entry with every new one gets slow.
  #recent = new Map<string, number>();
  #earlier = new Map<string, number>();

  /** @throws {ListenerConfigurationError} when `events` is below the largest batch, 5000 */
  constructor({
    events = 20_000,
    rememberMs = DAY_MS,
    clock = Date.now,
  }: MemoryDeduplicationOptions = {}) {
    if (!(events >= LARGEST_BATCH)) {
      throw new ListenerConfigurationError([
        `the deduplication remembers ${events} events, but a batch can have ${LARGEST_BATCH}: with fewer, its first are forgotten before its last are handled`,
      ]);
    }
    this.#events = events;
    this.#rememberMs = rememberMs;
    this.#clock = clock;
  }

  claim({ subscriptionName, source, id }: EventKey): Claim {
    // None of the three can hold a line end: they cannot run into each other.
    const key = `${subscriptionName}\n${source}\n${id}`;
    const state = this.#recent.get(key) ?? this.#earlier.get(key);
    if (state === RUNNING) return "running";
    if (state !== undefined && this.#clock() - state < this.#rememberMs) return "done";
    if (this.#recent.size >= this.#events) this.#forgetEarlier();
    this.#recent.set(key, RUNNING);
    return new MemoryLease(this, key);
  }

  /** @internal */
  settle(key: string, isHandled: boolean): void {
    if (isHandled) {
      this.#recent.set(key, this.#clock());
    } else {
      this.#recent.delete(key);
      this.#earlier.delete(key);
    }
  }

  #forgetEarlier(): void {
    const forgotten = this.#earlier;
    this.#earlier = this.#recent;
    this.#recent = new Map();
    for (const [key, state] of forgotten) if (state === RUNNING) this.#recent.set(key, RUNNING);
  }
}

const RUNNING = -1;
const DAY_MS = 24 * 60 * 60 * 1000;

class MemoryLease implements Lease {
  constructor(
    private readonly store: MemoryDeduplication,
    private readonly key: string,
  ) {}

  extend(): void {}

  done(): void {
    this.store.settle(this.key, true);
  }

  release(): void {
    this.store.settle(this.key, false);
  }
}
