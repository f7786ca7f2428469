import { hash } from "node:crypto";
import { AZURE_LIMITS } from "../binding/index.js";
import type { CloudEvent } from "../events/index.js";
import { eventNames, type Log, loggableError } from "../observability.js";
import { DAY_MS, SECOND_MS } from "../units.js";
import { assertValid, durationMs, group, predicateRule } from "../validation/index.js";

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

/** The properties by which an event is recognised when it is delivered again. */
export interface EventKey {
  /**
   * What received the event: a webhook, by its application's client ID followed by its path, or a
   * receiver, by the URL of its queue without `https://`. It keeps those apart that share a store and
   * receive the same events.
   */
  readonly consumer: string;
  /** The event subscription's name in lower case; empty if the delivery did not have it. */
  readonly subscriptionKey: string;
  readonly source: string;
  /** The event's ID, or what the option `deduplicationKey` returned instead. */
  readonly id: string;
}

/**
 * Event types of Azure whose `id` does not identify an event, each with the source that says so. To
 * take two different events for one would lose the second, so they are never duplicates by default.
 */
const typesWithSharedIds: ReadonlySet<string> = new Set([
  // Messages that follow each other quickly: https://github.com/MicrosoftDocs/azure-docs/issues/77475
  "Microsoft.Devices.DeviceTelemetry",
]);

/** Returns the key that identifies an event within its source; `undefined` if it is never a duplicate. */
export type DeduplicationKey = (event: CloudEvent, log: Log) => string | undefined;

const defaultKey: DeduplicationKey = ({ type, id }) =>
  typesWithSharedIds.has(type) ? undefined : id;

/** @param ownKey the user's function; an event for which it fails is never a duplicate */
export function deduplicationKey(
  ownKey: ((event: CloudEvent) => string | undefined) | undefined,
): DeduplicationKey {
  if (ownKey === undefined) return defaultKey;
  return (event, log) => {
    try {
      const key = ownKey(event);
      if (key === undefined) return undefined;
      // Events without the property that the function reads must not count as one event.
      if (typeof key === "string" && key !== "") return bounded(key);
      const type = typeof key === "string" ? "an empty string" : typeof key;
      throw new TypeError(`it returned ${type} instead of a string or undefined`);
    } catch (error) {
      const line = { err: loggableError(error), event: eventNames(event) };
      log.error(line, "deduplicationKey failed: the event is handled even if it is a duplicate");
      return undefined;
    }
  };
}

/** Publishers choose IDs, sources and payloads, which may be long. */
const MAX_KEY_LENGTH = 256;

/** The text, or a digest if it is long. The digest is padded, so that no short text equals it. */
function bounded(text: string): string {
  if (text.length <= MAX_KEY_LENGTH) return text;
  // UTF-16, because UTF-8 has no lone surrogates.
  return hash("sha256", Buffer.from(text, "utf16le"), "hex").padEnd(MAX_KEY_LENGTH + 1);
}

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
    requirement: {
      "largest-batch": `must be at least ${LARGEST_BATCH}, or the first events of the largest batch would be forgotten before its last are handled`,
    },
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
    assertValid("MemoryDeduplication cannot be created", optionChecks, "", options);
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
    if (state !== undefined && this.#now() - state < this.#rememberMs / SECOND_MS) return "done";
    origin.recent.set(id, RUNNING);
    return { origin, id };
  }

  #settle({ origin, id }: MemoryLease, isHandled: boolean): void {
    if (!isHandled) {
      origin.release(id);
      if (origin.isEmpty) this.#forget(origin);
      return;
    }
    origin.recent.set(id, this.#now());
    this.#handled += 1;
    if (this.#handled >= this.#events) this.#forgetEarlier();
  }

  #originOf({ consumer, subscriptionKey, source }: EventKey): Origin {
    const last = this.#last;
    if (
      source === last?.source &&
      subscriptionKey === last.subscriptionKey &&
      consumer === last.consumer
    ) {
      return last.origin;
    }
    // The lengths say where each part ends.
    const lengths = `${consumer.length} ${subscriptionKey.length}`;
    const name = `${lengths} ${consumer}${subscriptionKey}${bounded(source)}`;
    let origin = this.#origins.get(name);
    if (origin === undefined) {
      origin = new Origin(name);
      this.#origins.set(name, origin);
    }
    this.#last = { consumer, subscriptionKey, source, origin };
    return origin;
  }

  /**
   * Whole seconds since the start, never negative, even if the clock was set back. V8 stores small
   * integers in the map itself.
   */
  #now(): number {
    return Math.max(0, Math.floor((Date.now() - this.#startedAt) / SECOND_MS));
  }

  #forgetEarlier(): void {
    this.#handled = 0;
    for (const origin of this.#origins.values()) {
      origin.forgetEarlier();
      if (origin.isEmpty) this.#forget(origin);
    }
  }

  /** Publishers choose sources, and may choose one for each event. */
  #forget(origin: Origin): void {
    this.#origins.delete(origin.name);
    if (this.#last?.origin === origin) this.#last = undefined;
  }
}

const RUNNING = -1;

/** The place of an event that is being handled. */
interface MemoryLease {
  readonly origin: Origin;
  readonly id: string;
}

/**
 * The events of one source and subscription by ID, each with the time when it was handled, or
 * `RUNNING`. What `recent` has of an event replaces what `earlier` has. Forgetting the older half as a
 * whole is cheap, whereas a map that loses its oldest entry with every new one gets slow.
 */
class Origin {
  recent = new Map<string, number>();
  earlier = new Map<string, number>();

  constructor(readonly name: string) {}

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
    for (const [id, state] of forgotten) {
      if (state === RUNNING && !this.earlier.has(id)) this.recent.set(id, RUNNING);
    }
  }
}
