import { AZURE_LIMITS } from "../binding/index.js";
import { ConfigurationError } from "../errors.js";
import { durationMs, group, predicateRule, problemsOf } from "../validation/index.js";
import { bounded, type EventKey } from "./event-key.js";
import type { Claim, DeduplicationStore, SettledLease } from "./store.js";

export interface MemoryDeduplicationOptions {
  /**
   * Minimum number of handled events that are remembered; at most twice as many are held.
   * @default 20_000
   */
  readonly events?: number | undefined;
  /**
   * Maximum time for which they are remembered, in milliseconds. Event Grid retries for a day.
   * @default 24 hours
   */
  readonly rememberMs?: number | undefined;
}

const LARGEST_BATCH = AZURE_LIMITS.eventsPerBatch.max;

const optionChecks = group<MemoryDeduplicationOptions>({
  events: predicateRule({
    name: "largest-batch",
    requirement: `must be at least ${LARGEST_BATCH}, or the first events of the largest batch would be forgotten before its last are handled`,
    test: (value) => typeof value === "number" && value >= LARGEST_BATCH,
  }),
  rememberMs: durationMs,
});

/** Remembers handled events in this process. */
export class MemoryDeduplication implements DeduplicationStore<MemoryLease> {
  /** Claims live and die with the process. */
  readonly leaseMs = Number.POSITIVE_INFINITY;
  readonly #events: number;
  readonly #rememberMs: number;
  readonly #startedAt = Date.now();
  readonly #origins = new Map<string, Origin>();
  /** Events handled since `recent` became `earlier`. */
  #handled = 0;
  /** The last event's origin: most events have the same as the one before. */
  #last: (Omit<EventKey, "id"> & { readonly origin: Origin }) | undefined;

  /** @throws {ConfigurationError} when an option is invalid, for example fewer than 5000 events */
  constructor(options: MemoryDeduplicationOptions = {}) {
    const problems = problemsOf(optionChecks, "", options);
    if (problems.length > 0)
      throw new ConfigurationError("MemoryDeduplication cannot be created", problems);
    this.#events = options.events ?? 20_000;
    this.#rememberMs = options.rememberMs ?? DAY_MS;
  }

  claim(keys: readonly EventKey[]): readonly Claim<MemoryLease>[] {
    return keys.map((key) => this.#claim(key));
  }

  settle(outcomes: readonly SettledLease<MemoryLease>[]): void {
    for (const { lease, isHandled } of outcomes) this.#settle(lease, isHandled);
  }

  /** Leases in memory last until they are settled. */
  extend(): void {}

  #claim(event: EventKey): Claim<MemoryLease> {
    const origin = this.#originOf(event);
    const id = bounded(event.id);
    const state = origin.recent.get(id) ?? origin.earlier.get(id);
    if (state === RUNNING) return "running";
    if (state !== undefined && this.#now() - state < this.#rememberMs / 1000) return "done";
    origin.recent.set(id, RUNNING);
    return { origin, id };
  }

  #settle({ origin, id }: MemoryLease, isHandled: boolean): void {
    if (!isHandled) {
      origin.release(id);
      return;
    }
    origin.earlier.delete(id);
    origin.recent.set(id, this.#now());
    this.#handled += 1;
    if (this.#handled >= this.#events) this.#forgetEarlier();
  }

  #originOf({ consumer, subscriptionName, source }: EventKey): Origin {
    const last = this.#last;
    if (
      source === last?.source &&
      subscriptionName === last.subscriptionName &&
      consumer === last.consumer
    ) {
      return last.origin;
    }
    // The lengths say where each part ends.
    const lengths = `${consumer.length} ${subscriptionName.length}`;
    const name = `${lengths} ${consumer}${subscriptionName}${bounded(source)}`;
    let origin = this.#origins.get(name);
    if (origin === undefined) {
      origin = new Origin();
      this.#origins.set(name, origin);
    }
    this.#last = { consumer, subscriptionName, source, origin };
    return origin;
  }

  /**
   * Whole seconds since the start, never negative, even if the clock was set back. V8 stores small
   * integers in the map itself.
   */
  #now(): number {
    return Math.max(0, Math.floor((Date.now() - this.#startedAt) / 1000));
  }

  #forgetEarlier(): void {
    this.#handled = 0;
    for (const [name, origin] of this.#origins) {
      origin.forgetEarlier();
      if (origin.isEmpty && origin !== this.#last?.origin) this.#origins.delete(name);
    }
  }
}

const RUNNING = -1;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The place of an event that is being handled. */
interface MemoryLease {
  readonly origin: Origin;
  readonly id: string;
}

/**
 * The events of one source and subscription by ID, each with the time when it was handled, or
 * `RUNNING`. Forgetting the older half as a whole is cheap, whereas a map that loses its oldest entry
 * with every new one gets slow.
 */
class Origin {
  recent = new Map<string, number>();
  earlier = new Map<string, number>();

  get isEmpty(): boolean {
    return this.recent.size === 0 && this.earlier.size === 0;
  }

  /** Does nothing if the event was handled meanwhile. */
  release(id: string): void {
    for (const states of [this.recent, this.earlier]) {
      if (states.get(id) === RUNNING) states.delete(id);
    }
  }

  forgetEarlier(): void {
    const forgotten = this.earlier;
    this.earlier = this.recent;
    this.recent = new Map();
    for (const [id, state] of forgotten) if (state === RUNNING) this.recent.set(id, RUNNING);
  }
}
