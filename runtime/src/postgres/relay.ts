import { randomUUID } from "node:crypto";
import type { MeterProvider } from "@opentelemetry/api";
import {
  beginningOf,
  type Log,
  LogThrottle,
  loggableError,
  logOf,
  Metrics,
} from "../observability.js";
import type { EncodedEvent, EncodedEvents } from "../publisher/event/index.js";
import { PublishError } from "../publisher/index.js";
import { backoffMs, type Clock } from "../time.js";
import { MIB, MINUTE_MS, SECOND_MS } from "../units.js";
import { STATEMENT_MS, type Statements } from "./connections.js";
import type { PostgresError } from "./errors.js";
import type { Ending } from "./limits.js";
import type { OutboxSettings } from "./options.js";
import type { OutboxStatus, OutboxTable } from "./outbox-table.js";
import { isTransient } from "./sqlstate.js";

/** The most rows that one claim takes. */
const MAX_ROWS = 500;
const MAX_BYTES = 4 * MIB;
/** Events of one call of the publisher, which has a timer and a promise for each. */
const ROWS_PER_CALL = 100;
/** Claims that are published at a time: one is deleted while the other is sent. */
const MAX_CLAIMS = 2;

const FIRST_DELAY_MS = SECOND_MS;
const RELAY_RETRY = { firstDelayMs: FIRST_DELAY_MS, maxDelayMs: 30_000 };
/** How long `close` waits for the topic, and then for PostgreSQL. */
const CLOSE_MS = 5_000;
const STATUS_INTERVAL_MS = 15_000;
const OLD_SECONDS = 60;
const WARN_OF_OLD_MS = MINUTE_MS;
const OLD_EVENTS = "events have waited in the outbox for more than a minute";
const OLD_EVENTS_OF_ANOTHER =
  "events of another topic have waited in the outbox for more than a minute: check that a relay publishes to it";
const MAX_REASON_LENGTH = 1_000;

/** The outcomes of the rows of a claim, by ID. */
interface Outcomes {
  readonly published: string[];
  readonly kept: { readonly id: string; readonly error: unknown }[];
  readonly refused: { readonly id: string; readonly reason: string }[];
}

export interface RelayDependencies {
  readonly database: Statements;
  readonly table: OutboxTable;
  readonly events: EncodedEvents;
  readonly settings: OutboxSettings;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Ends the statements of `database`. */
  readonly ending: Ending;
}

/**
 * Publishes what is stored.
 *
 *     waiting ──► leased ──► published: deleted
 *        ▲           │ ├───► refused for good: set aside
 *        └───────────┘ └───► anything else: released, and claimed again later
 *
 * A process that dies leaves its leases, which end by the database's clock.
 */
export class Relay {
  readonly #dependencies: RelayDependencies;
  readonly #log: Log;
  readonly #metrics: OutboxMetrics;
  readonly #logThrottle: LogThrottle<string>;
  readonly #closing = new AbortController();
  /** Claims that are being published. */
  readonly #open = new Set<Promise<void>>();
  #isClosed = false;
  /** Failed claims and publications since the last success. */
  #failures = 0;
  /** The last row of a full claim. */
  #newest = "0";
  /** When a claim began with the oldest row. */
  #beganAt = 0;
  #isWoken = false;
  #endPause: (() => void) | undefined;
  #cancelStatus: (() => void) | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;
  readonly #ended: Promise<void>;

  constructor(dependencies: RelayDependencies) {
    const { logger, telemetry } = dependencies.settings;
    this.#dependencies = dependencies;
    this.#log = logOf(logger);
    this.#metrics = new OutboxMetrics(telemetry?.meterProvider);
    this.#logThrottle = new LogThrottle(() => dependencies.clock.now());
    this.#ended = this.#run();
    void this.#watch();
  }

  wake(): void {
    this.#isWoken = true;
    // A topic that refuses events is not asked more often because there are more of them.
    if (this.#failures === 0) this.#endPause?.();
  }

  /** Stops claiming, and waits for what is being published, but not for long. */
  async close(closed: PostgresError): Promise<void> {
    const { clock, ending } = this.#dependencies;
    this.#isClosed = true;
    this.#cancelStatus?.();
    this.#endPause?.();
    const cancels = [
      clock.schedule(CLOSE_MS, () => this.#closing.abort()),
      clock.schedule(2 * CLOSE_MS, () => ending.pass(closed)),
    ];
    await this.#ended;
    for (const cancel of cancels) cancel();
    ending.pass(closed);
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#isWoken = false;
      const claimed = await this.#claim();
      if (this.#open.size >= MAX_CLAIMS) await Promise.race(this.#open);
      // A smaller claim has left nothing behind: the next one waits for it and finds what came since.
      if (claimed < MAX_ROWS || this.#failures > 0) await Promise.all(this.#open);
      if (this.#isClosed) break;
      if (this.#failures > 0)
        await this.#pause(backoffMs(this.#failures, RELAY_RETRY, this.#dependencies.random()));
      else if (claimed === 0 && !this.#isWoken)
        await this.#pause(this.#dependencies.settings.pollMs);
    }
    await Promise.all(this.#open);
  }

  /** @returns the number of rows, which are being published then */
  async #claim(): Promise<number> {
    const { database, table } = this.#dependencies;
    const lease = randomUUID();
    try {
      // After a failure it may take longer, as dead rows can make it.
      const limits = { ms: STATEMENT_MS * Math.min(6, 1 + this.#failures) };
      const rows = await table.claim(database, lease, this.#after(), MAX_ROWS, MAX_BYTES, limits);
      const newest = Math.max(...rows.map(({ id }) => Number(id)));
      this.#newest = rows.length < MAX_ROWS ? "0" : `${newest}`;
      if (rows.length > 0) {
        const publishing = this.#publish(lease, rows).finally(() => this.#open.delete(publishing));
        this.#open.add(publishing);
      } else if (this.#open.size === 0) this.#failures = 0;
      return rows.length;
    } catch (error) {
      this.#failed("claim", error, "the outbox cannot be read: trying again");
      return 0;
    }
  }

  /**
   * Where the next claim begins. Busy relays pass over the rows that they have or had, which PostgreSQL
   * would visit each time; now and then they begin with the oldest, which may have come back.
   */
  #after(): string {
    const { clock, settings } = this.#dependencies;
    if (clock.now() - this.#beganAt < settings.pollMs && this.#failures === 0) return this.#newest;
    this.#beganAt = clock.now();
    return "0";
  }

  async #publish(lease: string, rows: readonly EncodedEvent[]): Promise<void> {
    const { database, table, settings, clock } = this.#dependencies;
    const { leaseMs } = settings;
    const outcomes: Outcomes = { published: [], kept: [], refused: [] };
    const until = clock.now() + (leaseMs * 2) / 3;
    const calls: Promise<void>[] = [];
    for (let start = 0; start < rows.length; start += ROWS_PER_CALL) {
      calls.push(this.#send(rows.slice(start, start + ROWS_PER_CALL), until, outcomes));
    }
    await Promise.all(calls);
    const { published, kept, refused } = outcomes;
    const deadline = until + leaseMs / 3;
    if (published.length > 0) {
      await this.#settle(deadline, () => table.delete(database, lease, published));
      this.#metrics.left("published", published.length);
      this.#failures = 0;
    }
    for (const { id, reason } of refused) await this.#setAside(deadline, lease, id, reason);
    const [first] = kept;
    if (first === undefined) return;
    const ids = kept.map(({ id }) => id);
    await this.#settle(deadline, () => table.release(database, lease, ids));
    if (this.#closing.signal.aborted) return;
    this.#failed("publish", first.error, "events stay in the outbox: trying again", kept.length);
  }

  /** Publishes events in one call, and then each by itself if Event Grid objects to one of them. */
  async #send(rows: readonly EncodedEvent[], until: number, outcomes: Outcomes): Promise<void> {
    const { events, clock } = this.#dependencies;
    const timeoutMs = Math.max(1, until - clock.now());
    try {
      await events.send(rows, { signal: this.#closing.signal, timeoutMs });
      outcomes.published.push(...rows.map(({ id }) => id));
    } catch (error) {
      const accepted = error instanceof PublishError ? error.accepted : [];
      outcomes.published.push(...accepted);
      const left = rows.filter(({ id }) => !accepted.includes(id));
      const reason = refusalOf(error);
      if (reason === undefined) outcomes.kept.push(...left.map(({ id }) => ({ id, error })));
      else if (rows.length === 1) outcomes.refused.push(...left.map(({ id }) => ({ id, reason })));
      else await Promise.all(left.map((row) => this.#send([row], until, outcomes)));
    }
  }

  async #setAside(deadline: number, lease: string, id: string, reason: string): Promise<void> {
    const { database, table } = this.#dependencies;
    const text = beginningOf(reason, MAX_REASON_LENGTH);
    await this.#settle(deadline, () => table.setAside(database, lease, id, text));
    this.#metrics.left("set-aside", 1);
    this.#log.error({ row: id, reason: text }, "event set aside: it cannot be published");
  }

  /** Repeats a statement for as long as the lease lasts. Afterwards, its events are published again. */
  async #settle(deadline: number, statement: () => Promise<void>): Promise<void> {
    const { clock } = this.#dependencies;
    for (;;) {
      try {
        await statement();
        return;
      } catch (error) {
        this.#failed("settle", error, "an outcome cannot be stored: trying again");
        if (this.#isClosed || clock.now() > deadline) return;
        await new Promise<void>((resolve) => clock.schedule(FIRST_DELAY_MS, resolve));
      }
    }
  }

  #failed(reason: string, error: unknown, message: string, events?: number): void {
    this.#failures += 1;
    // Relays whose transactions are serializable disturb each other; that of `close` ends statements.
    if (isTransient(error) || this.#dependencies.ending.hasPassed) return;
    const code = error instanceof PublishError ? `${error.code} ${error.status}` : "";
    this.#logThrottle.write(`${reason} ${code}`, ({ unlogged }) => {
      const line = { err: loggableError(error), ...(events && { events }), unlogged };
      this.#log.warn(line, message);
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#dependencies.clock.schedule(ms, () => this.#endPause?.());
      this.#endPause = () => {
        cancel();
        this.#endPause = undefined;
        resolve();
      };
    });
  }

  /** Measures what waits, and warns of events that have waited for long. */
  async #watch(): Promise<void> {
    const { database, table, clock } = this.#dependencies;
    try {
      const topics = await table.status(database);
      this.#metrics.status(topics, table.topic);
      const old = topics.filter(({ oldestSeconds }) => oldestSeconds > OLD_SECONDS);
      if (old.length > 0 && clock.now() - this.#warnedAt >= WARN_OF_OLD_MS) {
        this.#warnedAt = clock.now();
        for (const { topic, waiting, oldestSeconds } of old) {
          const line = { topic, waiting, oldestSeconds: Math.round(oldestSeconds) };
          this.#log.warn(line, topic === table.topic ? OLD_EVENTS : OLD_EVENTS_OF_ANOTHER);
        }
      }
    } catch {
      // The relay reports that the database is unavailable.
    }
    if (!this.#isClosed)
      this.#cancelStatus = clock.schedule(STATUS_INTERVAL_MS, () => void this.#watch());
  }
}

/** Returns the reason why Event Grid refuses an event; `undefined` if it may accept the event later. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof PublishError)) return undefined;
  return error.status === 400 || error.status === 413 ? error.message : undefined;
}

/** The metrics of an outbox. */
export class OutboxMetrics extends Metrics {
  readonly #events = this.counter("events", "Events that left the outbox, by outcome");
  readonly #waiting = this.gauge("events.waiting", "Events in the outbox that were not set aside");
  readonly #oldest = this.gauge(
    "oldest_event.age",
    "Age of the event that has waited longest",
    "s",
  );

  constructor(provider?: MeterProvider) {
    super("eventgrid.outbox", provider);
  }

  left(outcome: "published" | "set-aside", events: number): void {
    this.#events.add(events, { "eventgrid.outbox.outcome": outcome });
  }

  /** Both series have a point each time, so that one of no events ends. */
  status(topics: readonly OutboxStatus[], own: string): void {
    for (const relation of ["own", "other"]) {
      const counted = topics.filter(({ topic }) => (topic === own) === (relation === "own"));
      const attributes = { "eventgrid.outbox.topic": relation };
      const waiting = counted.reduce((sum, topic) => sum + topic.waiting, 0);
      this.#waiting.record(waiting, attributes);
      const oldest = Math.max(0, ...counted.map(({ oldestSeconds }) => oldestSeconds));
      this.#oldest.record(oldest, attributes);
    }
  }
}
