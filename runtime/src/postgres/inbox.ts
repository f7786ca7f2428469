import { SignalListeners } from "../collections.js";
import type { CloudEvent } from "../events/index.js";
import type { EventContext, EventHandler } from "../handling/index.js";
import { logOf, Metrics } from "../observability.js";
import { backgroundClock, type Clock } from "../time.js";
import type { ClientOf, ConnectionSource, Database } from "./connections.js";
import { databaseOf } from "./database.js";
import { PostgresError } from "./errors.js";
import { deleteExpiredKeys, deleteKeys, inboxKeyOf, insertNothing } from "./inbox-table.js";
import { Ending, Limits, Slots } from "./limits.js";
import { type InboxOptions, type InboxSettings, inboxSettings } from "./options.js";
import { repeated, sqlStateOf } from "./sqlstate.js";
import { checkTable, tableOf } from "./tables.js";

/** The context of an event, with the transaction that its handler works in. */
export interface InboxContext<Client> extends EventContext {
  /** What this client does is committed together with the fact that the event was handled. */
  readonly client: Client;
}

/** Commits the work of handlers together with the fact that their event was handled. */
export interface Inbox<Client> extends AsyncDisposable {
  /**
   * Checks the table, and deletes old keys from then on. Without it, the first event does both.
   *
   * @throws {PostgresError} `ERR_POSTGRES_TABLE` when the table is missing, or the role must not use it
   */
  start(): Promise<void>;
  /**
   * Makes a handler for `on` of a listener or a receiver. It works in a transaction, which is
   * committed when it returns and rolled back when it throws. It is not called for an event that was
   * handled, and again after a serialization failure or a deadlock.
   */
  handler<Event extends CloudEvent = CloudEvent>(
    handle: (event: Event, context: InboxContext<Client>) => unknown,
  ): EventHandler<Event>;
  /**
   * Refuses further events, ends the transactions of handlers that still run, and stops deleting
   * keys. Close the listener before, and the pool afterwards.
   */
  close(): Promise<void>;
}

/**
 * Creates an inbox.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function createInbox<Source extends ConnectionSource>(
  options: InboxOptions<Source>,
): Inbox<ClientOf<Source>> {
  return createInboxWith(options, backgroundClock);
}

/** {@link createInbox} with a clock, for tests. The package does not export it. */
export function createInboxWith<Source extends ConnectionSource>(
  options: InboxOptions<Source>,
  clock: Clock,
): Inbox<ClientOf<Source>> {
  return new PostgresInbox(inboxSettings(options), clock);
}

/** The slots of all inboxes that share a pool. */
const slotsOfPools = new WeakMap<object, Slots>();

class PostgresInbox<Client> implements Inbox<Client> {
  readonly #settings: InboxSettings;
  readonly #clock: Clock;
  readonly #database: Database;
  readonly #table: string;
  readonly #slots: Slots;
  readonly #handled;
  /** Deliveries share a signal, and Node warns of many listeners. */
  readonly #signals = new SignalListeners();
  readonly #events = new Set<Limits>();
  #starting: Promise<void> | undefined;
  readonly #closing = new Ending();

  constructor(settings: InboxSettings, clock: Clock) {
    const { pool, schema, telemetry } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#database = databaseOf(pool, clock);
    this.#table = tableOf("inbox", schema);
    const size = Math.max(1, Math.floor(this.#database.max / 2));
    this.#slots = slotsOfPools.get(pool) ?? new Slots(size);
    slotsOfPools.set(pool, this.#slots);
    const metrics = new Metrics("eventgrid.inbox", telemetry?.meterProvider);
    this.#handled = metrics.counter("events", "Events that the inbox acknowledged, by outcome");
  }

  start(): Promise<void> {
    // A start that failed can be tried again.
    this.#starting ??= this.#start().catch((error) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    const [database, table, clock] = [this.#database, this.#table, this.#clock];
    const { consumer, retentionMs, logger } = this.#settings;
    const [log, ending] = [logOf(logger), this.#closing];
    const cleanUp = { database, table, consumer, retentionMs, clock, log, ending };
    await checkTable("inbox", this.#settings.schema, database, [
      () => database.query(insertNothing(table), [], { ending }),
      () => deleteKeys(cleanUp, 0),
    ]);
    deleteExpiredKeys(cleanUp);
  }

  handler<Event extends CloudEvent>(
    handle: (event: Event, context: InboxContext<Client>) => unknown,
  ): EventHandler<Event> {
    return (event, context) =>
      this.#handle(event, context, async (client) => {
        // Not a copy: the members of a context are created on first use.
        await handle(event, Object.assign(context, { client: client as Client }));
      });
  }

  async close(): Promise<void> {
    const closed = new PostgresError("ERR_INBOX_CLOSED", "the inbox is closed");
    this.#closing.pass(closed);
    for (const limits of this.#events) limits.end(closed);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #handle(
    event: CloudEvent,
    context: EventContext,
    work: (client: unknown) => Promise<void>,
  ): Promise<void> {
    this.#closing.throwIfPassed();
    await this.start();
    const limits = new Limits(this.#clock, this.#settings.overdueMs);
    const stopListening = this.#signals.add(context.signal, () => limits.deadlinePassed());
    if (context.signal.aborted) limits.deadlinePassed();
    this.#events.add(limits);
    try {
      await this.#slots.take(limits.waiting);
      try {
        const outcome = await repeated(
          () => this.#inTransaction(event, context, limits, work),
          (error) => {
            context.log.debug({ state: sqlStateOf(error) }, "transaction tried again");
            return !limits.waiting.hasPassed;
          },
        );
        if (outcome === "handled-before") context.log.debug("event was handled before");
        this.#handled.add(1, { "eventgrid.inbox.outcome": outcome });
      } finally {
        this.#slots.release();
      }
    } finally {
      stopListening();
      limits.clear();
      this.#events.delete(limits);
    }
  }

  async #inTransaction(
    event: CloudEvent,
    context: EventContext,
    limits: Limits,
    work: (client: unknown) => Promise<void>,
  ) {
    const key = inboxKeyOf(this.#table, this.#settings.consumer, event, context);
    const { waiting, running } = limits;
    return this.#database.transaction(
      async (client, isNew) => {
        if (!isNew) return "handled-before";
        await work(client);
        return key === undefined ? "without-key" : "handled";
      },
      { key, waiting, running },
    );
  }
}
