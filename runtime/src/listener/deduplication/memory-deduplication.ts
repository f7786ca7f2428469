import { AZURE_LIMITS } from "../../binding/rules/index.js";
import { type Clock, systemClock } from "../../clock.js";
import type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  Settlement,
} from "../../deduplication/index.js";
import { ListenerConfigurationError } from "../errors.js";

export interface MemoryDeduplicationOptions {
  /**
   * Minimum number of handled events that are remembered; at most twice as many are held.
   * @default 20_000
   */
  readonly events?: number;
  /**
   * Maximum time for which they are remembered, in milliseconds. Event Grid retries for a day.
   * @default 24 hours
   */
  readonly rememberMs?: number;
  /** @default systemClock */
  readonly clock?: Clock;
}

const LARGEST_BATCH = AZURE_LIMITS.eventsPerBatch.max;

/** Remembers handled events in this process. */
export class MemoryDeduplication implements DeduplicationStore {
  /** Claims live and die with the process. */
  readonly leaseMs = Number.POSITIVE_INFINITY;
  readonly #events: number;
  readonly #rememberMs: number;
  readonly #clock: Clock;
  readonly #startedAt: number;
  // Forgetting the older generation as a whole is cheap, whereas a map that loses its oldest entry
  // with every new one gets slow.
  #recent = new Generation();
  #earlier = new Generation();
  /** The last event's origin: most events have the same as the one before. */
  #origin = { subscriptionName: "", source: "", name: "\n" };

  /** @throws {ListenerConfigurationError} when `events` is below the largest batch, 5000 */
  constructor({
    events = 20_000,
    rememberMs = DAY_MS,
    clock = systemClock,
  }: MemoryDeduplicationOptions = {}) {
    if (!(events >= LARGEST_BATCH)) {
      const message = `events must be at least ${LARGEST_BATCH}, the size of the largest batch, but is ${events}: the first events of a batch would be forgotten before its last are handled`;
      throw new ListenerConfigurationError([
        { field: "events", rule: "largest-batch", message, received: String(events) },
      ]);
    }
    this.#events = events;
    this.#rememberMs = rememberMs;
    this.#clock = clock;
    this.#startedAt = clock.now();
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

  claimMany(keys: readonly EventKey[]): readonly Claim[] {
    return keys.map((key) => this.claim(key));
  }

  settleMany(settlements: readonly Settlement[]): void {
    for (const { lease, isHandled } of settlements) {
      if (isHandled) lease.done();
      else lease.release();
    }
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
    // A subscription name comes from a header, which cannot contain a line end.
    const name = `${subscriptionName}\n${source}`;
    this.#origin = { subscriptionName, source, name };
    return name;
  }

  /**
   * Whole seconds since the start, never negative, even if the clock was set back. V8 stores small
   * integers in the map itself.
   */
  #now(): number {
    return Math.max(0, Math.floor((this.#clock.now() - this.#startedAt) / 1000));
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

/** Events by origin and ID, each with the time when it was handled, or `RUNNING`. */
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
