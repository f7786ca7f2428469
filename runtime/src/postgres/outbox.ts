import { ConfigurationError, problem } from "../errors.js";
import type { EventPayloads } from "../events/index.js";
import { ENCODED_EVENTS, type EncodedEvents } from "../publisher/event/index.js";
import type { EventsToCreate, Publisher } from "../publisher/index.js";
import { type Clock, systemClock } from "../time.js";
import type { ClientOf, ConnectionSource, Database, Queryable, Statements } from "./connections.js";
import { databaseOf } from "./database.js";
import { PostgresError } from "./errors.js";
import { Ending } from "./limits.js";
import { type OutboxOptions, type OutboxSettings, outboxSettings } from "./options.js";
import { OutboxTable } from "./outbox-table.js";
import { Relay } from "./relay.js";
import { checkTable } from "./tables.js";

/** Stores events in the transaction that causes them, and publishes them afterwards. */
export interface Outbox<P extends EventPayloads = EventPayloads, Client = Queryable>
  extends AsyncDisposable {
  /**
   * Calls `work` in a transaction: commits it when `work` has resolved and wakes the relay, or rolls it
   * back when `work` was rejected.
   *
   * @returns the result of `work`
   * @throws the error of `work` or of PostgreSQL; if the connection was lost while it was committed,
   * nobody knows whether it was
   * @throws {PostgresError} `ERR_POSTGRES_TRANSACTION` when `work` hid the failure of a statement, or
   * ended the transaction itself
   */
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /**
   * Stores an event, or an array of events, in a transaction of yours. Their ID, source, time and
   * trace context are those of this call, whenever they are published.
   *
   * @param client of the transaction: anything with `query(text, values)`
   * @returns the IDs of the events in the order of the arguments
   * @throws {InvalidEventError} when an event is invalid; nothing is stored
   */
  add(client: Queryable, events: EventsToCreate<P>): Promise<string[]>;
  /**
   * Starts the relay, which publishes what is stored, until `close()`. Calling it again changes
   * nothing.
   *
   * @throws {PostgresError} `ERR_POSTGRES_TABLE` when the table is missing, or the role must not use it
   */
  start(): Promise<void>;
  /** Lets an idle relay look at once, for example after a commit. Without it, it looks every second. */
  wake(): void;
  /**
   * Stops the relay. Events that it is publishing get up to 5 s, and PostgreSQL 5 s more to store what
   * became of them; others stay in the table. Close the publisher and the pool afterwards.
   */
  close(): Promise<void>;
}

/**
 * Creates an outbox in front of a publisher, which keeps its batches, retries and limits.
 *
 * @throws {ConfigurationError} when the publisher or an option is invalid
 */
export function createOutbox<P extends EventPayloads, Source extends ConnectionSource>(
  publisher: Publisher<P>,
  options: OutboxOptions<Source>,
): Outbox<P, ClientOf<Source>> {
  return createOutboxWith(publisher, options, systemClock);
}

/** {@link createOutbox} with a clock and random numbers, for tests. The package does not export it. */
export function createOutboxWith<P extends EventPayloads, Source extends ConnectionSource>(
  publisher: Publisher<P>,
  options: OutboxOptions<Source>,
  clock: Clock,
  random = Math.random,
): Outbox<P, ClientOf<Source>> {
  const settings = outboxSettings(options);
  return new PostgresOutbox(encodedEventsOf(publisher), settings, clock, random);
}

class PostgresOutbox<P extends EventPayloads, Client> implements Outbox<P, Client> {
  readonly #settings: OutboxSettings;
  readonly #database: Database;
  readonly #table: OutboxTable;
  #relay: Relay | undefined;
  #starting: Promise<void> | undefined;
  /** Ends the statements of start and relay. */
  readonly #ending = new Ending();

  constructor(
    private readonly events: EncodedEvents,
    settings: OutboxSettings,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {
    this.#settings = settings;
    this.#database = databaseOf(settings.pool, clock);
    this.#table = new OutboxTable(events.topic, settings);
  }

  async transaction<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const result = await this.#database.transaction((client) => work(client as Client));
    this.wake();
    return result;
  }

  async add(client: Queryable, oneOrMore: EventsToCreate<P>): Promise<string[]> {
    const events: readonly unknown[] = Array.isArray(oneOrMore) ? oneOrMore : [oneOrMore];
    const encoded = await this.events.encode(events);
    await this.#table.add(client, encoded);
    return encoded.map(({ id }) => id);
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
    const { clock, events, random } = this;
    const [settings, table, ending] = [this.#settings, this.#table, this.#ending];
    const database: Statements = {
      query: (text, values, limits) => this.#database.query(text, values, { ...limits, ending }),
    };
    await checkTable("outbox", settings.schema, database, table.statements(database));
    ending.throwIfPassed();
    this.#relay = new Relay({ database, table, events, settings, clock, random, ending });
  }

  wake(): void {
    this.#relay?.wake();
  }

  async close(): Promise<void> {
    const closed = new PostgresError("ERR_POSTGRES_TIMEOUT", "the outbox is closed");
    if (this.#relay === undefined) this.#ending.pass(closed);
    await this.#starting?.catch(() => {});
    await this.#relay?.close(closed);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function encodedEventsOf(publisher: unknown): EncodedEvents {
  if (typeof publisher === "object" && publisher !== null && ENCODED_EVENTS in publisher) {
    return publisher[ENCODED_EVENTS] as EncodedEvents;
  }
  const message = "must be made by createPublisher of the same version of this package";
  throw new ConfigurationError("The outbox cannot be created", [
    problem("publisher", { publisher: message }),
  ]);
}
