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
  readonly #startedAt: number;
  // To forget the older generation as a whole is cheap; a map that loses its oldest entry with
  // every new one gets slow.
  #recent = new Generation();
  #earlier = new Generation();
  /** The last event's: most come from where the one before came from. */
  #origin = { subscriptionName: "", source: "", name: "\n" };

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
    this.#startedAt = clock();
  }

  claim({ subscriptionName, source, id }: EventKey): Claim {
    const origin = this.#nameOfOrigin(subscriptionName, source);
    const state = this.#recent.get(origin, id) ?? this.#earlier.get(origin, id);
    if (state === RUNNING) return "running";
    if (state !== undefined && this.#now() - state < this.#rememberMs / 1000) return "done";
    if (this.#recent.size >= this.#events) this.#forgetEarlier();
    this.#recent.set(origin, id, RUNNING);
    return new MemoryLease(this, origin, id);
  }

  /** @internal */
  settle(origin: string, id: string, isHandled: boolean): void {
    this.#earlier.delete(origin, id);
    if (isHandled) this.#recent.set(origin, id, this.#now());
    else this.#recent.delete(origin, id);
  }

  #nameOfOrigin(subscriptionName: string, source: string): string {
    const last = this.#origin;
    if (source === last.source && subscriptionName === last.subscriptionName) return last.name;
    // Neither can hold a line end: they cannot run into each other.
    const name = `${subscriptionName}\n${source}`;
    this.#origin = { subscriptionName, source, name };
    return name;
  }

  /**
   * Whole seconds since the start, also where the clock was set back: small integers lie in a map
   * themselves, others beside it.
   */
  #now(): number {
    return Math.max(0, Math.floor((this.#clock() - this.#startedAt) / 1000));
  }

  #forgetEarlier(): void {
    const forgotten = this.#earlier;
    this.#earlier = this.#recent;
    this.#recent = new Generation();
    forgotten.eachRunning((origin, id) => this.#recent.set(origin, id, RUNNING));
  }
}

const RUNNING = -1;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Events by where they come from and by ID, each with when it was handled, or `RUNNING`. */
class Generation {
  readonly #origins = new Map<string, Map<string, number>>();
  size = 0;

  get(origin: string, id: string): number | undefined {
    return this.#origins.get(origin)?.get(id);
  }

  set(origin: string, id: string, state: number): void {
    let ids = this.#origins.get(origin);
    if (ids === undefined) {
      ids = new Map();
      this.#origins.set(origin, ids);
    }
    const before = ids.size;
    ids.set(id, state);
    this.size += ids.size - before;
  }

  delete(origin: string, id: string): void {
    const ids = this.#origins.get(origin);
    if (!ids?.delete(id)) return;
    this.size -= 1;
    if (ids.size === 0) this.#origins.delete(origin);
  }

  eachRunning(act: (origin: string, id: string) => void): void {
    this.#origins.forEach((ids, origin) => {
      ids.forEach((state, id) => {
        if (state === RUNNING) act(origin, id);
      });
    });
  }
}

class MemoryLease implements Lease {
  constructor(
    private readonly store: MemoryDeduplication,
    private readonly origin: string,
    private readonly id: string,
  ) {}

  extend(): void {}

  done(): void {
    this.store.settle(this.origin, this.id, true);
  }

  release(): void {
    this.store.settle(this.origin, this.id, false);
  }
}
