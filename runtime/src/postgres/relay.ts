import { randomUUID } from "node:crypto";
import { type MeterProvider, metrics } from "@opentelemetry/api";
import type { EncodedEvents } from "../encoded-events.js";
import { INSTRUMENTATION } from "../instrumentation.js";
import { beginningOf, type Log, LogThrottle, loggableError } from "../log.js";
import { PublishError } from "../publisher/index.js";
import type { Clock } from "../time.js";
import type { Database } from "./database.js";
import { type ClaimedRow, type OutboxStatus, type OutboxTable, textOf } from "./outbox-table.js";

/** What one claim takes at most. */
const MAX_ROWS = 500;
const MAX_BYTES = 4 * 1024 * 1024;
/** Claims that are published at a time: one is deleted while the other is sent. */
const MAX_CLAIMS = 2;

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** How long `close` waits for the topic. */
const CLOSE_MS = 5_000;
const STATUS_MS = 15_000;
const OLD_SECONDS = 60;
const WARN_OF_OLD_MS = 60_000;
const MAX_REASON_LENGTH = 1_000;

export interface RelayDependencies {
  readonly database: Database;
  readonly table: OutboxTable;
  readonly events: EncodedEvents;
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: OutboxMetrics;
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
  readonly #logThrottle: LogThrottle<string>;
  readonly #closing = new AbortController();
  /** Claims that are being published. */
  readonly #open = new Set<Promise<void>>();
  #isClosed = false;
  /** Failed claims and publications since the last success. */
  #failures = 0;
  #isWoken = false;
  #endPause: (() => void) | undefined;
  #cancelStatus: (() => void) | undefined;
  #warnedAt = Number.NEGATIVE_INFINITY;
  readonly #ended: Promise<void>;

  constructor(dependencies: RelayDependencies) {
    this.#dependencies = dependencies;
    this.#logThrottle = new LogThrottle(() => dependencies.clock.now());
    this.#ended = this.#run();
    void this.#watch();
  }

  wake(): void {
    this.#isWoken = true;
    // A topic that refuses events is not asked more often because there are more of them.
    if (this.#failures === 0) this.#endPause?.();
  }

  /** Stops claiming, and waits for what is being published. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelStatus?.();
    this.#endPause?.();
    const cancel = this.#dependencies.clock.schedule(CLOSE_MS, () => this.#closing.abort());
    await this.#ended;
    cancel();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      this.#isWoken = false;
      const claimed = await this.#claim();
      if (this.#open.size >= MAX_CLAIMS) await Promise.race(this.#open);
      // A smaller claim has left nothing behind: the next one waits for it and finds what came since.
      if (claimed < MAX_ROWS || this.#failures > 0) await Promise.all(this.#open);
      if (this.#isClosed) break;
      if (this.#failures > 0) await this.#pause(this.#backOffMs());
      else if (claimed === 0 && !this.#isWoken) await this.#pause(this.#dependencies.pollMs);
    }
    await Promise.all(this.#open);
  }

  /** @returns the number of rows, which are being published then */
  async #claim(): Promise<number> {
    const { database, table } = this.#dependencies;
    const lease = randomUUID();
    try {
      const rows = await table.claim(database, lease, MAX_ROWS, MAX_BYTES);
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

  async #publish(lease: string, rows: readonly ClaimedRow[]): Promise<void> {
    const { database, table, events, leaseMs, metrics } = this.#dependencies;
    const options = { signal: this.#closing.signal, timeoutMs: (leaseMs * 2) / 3 };
    const published: string[] = [];
    const kept: { readonly id: string; readonly error: unknown }[] = [];
    const refused: { readonly id: string; readonly reason: string }[] = [];
    // One call for each event: the publisher isolates the one that the topic objects to.
    await Promise.all(
      rows.map(async ({ id, body }) => {
        const event = { id, type: "", json: textOf(body), bytes: body.byteLength };
        try {
          await events.send(event, options);
          published.push(id);
        } catch (error) {
          const reason = refusalOf(error);
          if (reason === undefined) kept.push({ id, error });
          else refused.push({ id, reason });
        }
      }),
    );
    const deadline = this.#dependencies.clock.now() + leaseMs / 3;
    if (published.length > 0) {
      await this.#settle(deadline, () => table.delete(database, lease, published));
      metrics.left("published", published.length);
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

  async #setAside(deadline: number, lease: string, id: string, reason: string): Promise<void> {
    const { database, table, log, metrics } = this.#dependencies;
    const text = beginningOf(reason, MAX_REASON_LENGTH);
    await this.#settle(deadline, () => table.setAside(database, lease, id, text));
    metrics.left("set-aside", 1);
    log.error({ row: id, reason: text }, "event set aside: Event Grid refused it for good");
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
    const code = error instanceof PublishError ? `${error.code} ${error.status}` : "";
    this.#logThrottle.write(`${reason} ${code}`, ({ unlogged }) => {
      const line = { err: loggableError(error), ...(events && { events }), unlogged };
      this.#dependencies.log.warn(line, message);
    });
  }

  #backOffMs(): number {
    return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(this.#failures - 1, 10));
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
    const { database, table, clock, log, metrics } = this.#dependencies;
    try {
      const status = await table.status(database);
      metrics.status(status);
      const { waiting, oldestSeconds } = status;
      if (oldestSeconds > OLD_SECONDS && clock.now() - this.#warnedAt >= WARN_OF_OLD_MS) {
        this.#warnedAt = clock.now();
        const line = { waiting, oldestSeconds: Math.round(oldestSeconds) };
        log.warn(line, "events have waited in the outbox for more than a minute");
      }
    } catch {
      // The relay reports that the database is unavailable.
    }
    if (!this.#isClosed) this.#cancelStatus = clock.schedule(STATUS_MS, () => void this.#watch());
  }
}

/** What Event Grid objects to; `undefined` if it may accept the event later. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof PublishError)) return undefined;
  return error.status === 400 || error.status === 413 ? error.message : undefined;
}

/** The metrics of an outbox. */
export class OutboxMetrics {
  readonly #events;
  readonly #waiting;
  readonly #oldest;

  constructor(provider: MeterProvider = metrics.getMeterProvider()) {
    const meter = provider.getMeter(INSTRUMENTATION);
    this.#events = meter.createCounter("eventgrid.outbox.events", {
      description: "Events that left the outbox, by outcome",
      unit: "{event}",
    });
    this.#waiting = meter.createGauge("eventgrid.outbox.events.waiting", {
      description: "Events in the outbox that were not set aside",
      unit: "{event}",
    });
    this.#oldest = meter.createGauge("eventgrid.outbox.oldest_event.age", {
      description: "Age of the event that has waited longest",
      unit: "s",
    });
  }

  left(outcome: "published" | "set-aside", events: number): void {
    if (events > 0) this.#events.add(events, { "eventgrid.outbox.outcome": outcome });
  }

  status({ waiting, oldestSeconds }: OutboxStatus): void {
    this.#waiting.record(waiting);
    this.#oldest.record(oldestSeconds);
  }
}
