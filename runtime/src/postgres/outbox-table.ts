import { randomUUID } from "node:crypto";
import type { EncodedEvent } from "../publisher/event/index.js";
import { MINUTE_MS, SECOND_MS } from "../units.js";
import type { Queryable, StatementLimits, Statements } from "./connections.js";
import type { OutboxSettings } from "./options.js";
import { sqlStateOf, UNTRANSLATABLE } from "./sqlstate.js";
import { tableOf, WAITING_TOPIC } from "./tables.js";

/** How much waits in the table for a topic. */
export interface OutboxStatus {
  /** Host and path of its endpoint. */
  readonly topic: string;
  readonly waiting: number;
  /** Age of the event that has waited longest. */
  readonly oldestSeconds: number;
}

/** Rows of one `insert`. Each has one parameter more, of which PostgreSQL accepts 65,535. */
const ROWS_PER_INSERT = 1_000;

/**
 * The statements of the outbox. Their parameters are numbers and strings, each used once and in order,
 * which every library can pass on: libpq takes a `Buffer` for text, in which a backslash escapes.
 */
export class OutboxTable {
  readonly #table: string;
  readonly #leaseSeconds: number;

  /** @param topic host and path of its endpoint: events of other topics may be in the same table */
  constructor(
    readonly topic: string,
    { schema, leaseMs }: Pick<OutboxSettings, "schema" | "leaseMs">,
  ) {
    this.#table = tableOf("outbox", schema);
    this.#leaseSeconds = leaseMs / SECOND_MS;
  }

  /** The statements of a relay, with nothing to do. */
  statements(database: Statements) {
    const none = randomUUID();
    return [
      () => this.claim(database, none, "0", 0, 0),
      () => this.delete(database, none, []),
      () => this.setAside(database, none, "", none),
      () => this.status(database),
    ];
  }

  async add(client: Queryable, events: readonly EncodedEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += ROWS_PER_INSERT) {
      const bodies = events
        .slice(start, start + ROWS_PER_INSERT)
        .map(({ json }) => Buffer.from(json).toString("base64"));
      const rows = bodies.map((_, index) => `($${index + 2})`).join(", ");
      await client.query(
        `insert into ${this.#table} (topic, body) select $1, decode(body, 'base64') from (values ${rows}) as events (body)`,
        [this.topic, ...bodies],
      );
    }
  }

  /**
   * Leases the oldest rows that no relay has. A lost commit of this statement, and of those that end a
   * lease, only lets an event be published again, so none of them waits for the disk.
   *
   * Rows are compared as a whole, which is planned with the index whether or not there are statistics.
   *
   * @param after the `id` of a row, or "0": older rows are passed over
   * @param maxBytes is exceeded by one row at most
   * @returns the events, with the IDs of their rows
   */
  async claim(
    database: Statements,
    lease: string,
    after: string,
    maxRows: number,
    maxBytes: number,
    limits?: StatementLimits,
  ): Promise<EncodedEvent[]> {
    const rows = await database.query(
      `with candidate as materialized (
  select ctid as place, id, octet_length(body) as size from ${this.#table}
  where (${WAITING_TOPIC}, id) >= ($1, $2::bigint + 1)
  and (${WAITING_TOPIC}, id) <= ($3, ${2n ** 63n - 1n})
  and (leased_until is null or leased_until < clock_timestamp())
  order by ${WAITING_TOPIC}, id limit $4 for update skip locked
)
update ${this.#table} as leased set lease = $5, leased_until = clock_timestamp() + make_interval(secs => $6)
from ${NO_WAIT_FOR_DISK} where leased.ctid = any(array(
  select place from (select place, sum(size) over (order by id) - size as before from candidate) sizes
  where before < $7
))
returning leased.id::text as id, encode(body, 'base64') as body, octet_length(body) as bytes`,
      [this.topic, after, this.topic, maxRows, lease, this.#leaseSeconds, maxBytes],
      limits,
    );
    return rows.map(({ id, body, bytes }) => {
      const json = Buffer.from(String(body), "base64").toString();
      return { id: String(id), type: "", json, bytes: Number(bytes) };
    });
  }

  /** Deletes published rows, unless another relay has them now. */
  async delete(database: Statements, lease: string, ids: readonly string[]): Promise<void> {
    await database.query(
      `delete from ${this.#table} using ${NO_WAIT_FOR_DISK} where lease = $1 and ${ID_IN("$2")}`,
      [lease, ids.join()],
    );
  }

  /** Ends the lease of rows that were not published. */
  async release(database: Statements, lease: string, ids: readonly string[]): Promise<void> {
    await database.query(
      `update ${this.#table} set lease = null, leased_until = null where lease = $1 and ${ID_IN("$2")}`,
      [lease, ids.join()],
    );
  }

  async setAside(database: Statements, lease: string, id: string, reason: string): Promise<void> {
    const write = async (failure: string) => {
      await database.query(
        `update ${this.#table} set failed_at = clock_timestamp(), failure = $1, lease = null, leased_until = null
where lease = $2 and ${ID_IN("$3")}`,
        [failure, lease, id],
      );
    };
    // Text of PostgreSQL has no NUL.
    const failure = reason.replaceAll("\0", "");
    await write(failure).catch((error) => {
      // The database's encoding is not UTF-8, and the event would be published and refused for ever.
      if (sqlStateOf(error) !== UNTRANSLATABLE) throw error;
      return write(failure.replace(/[^ -~]/g, "?"));
    });
  }

  /** Counts the events that wait, for each topic that has events in the table. */
  async status(database: Statements): Promise<OutboxStatus[]> {
    const rows = await database.query(
      `select topics.topic, waiting::float8 as waiting, extract(epoch from clock_timestamp() - stored_at)::float8 as seconds
from (select topic, count(*) as waiting, min(id) as oldest from ${this.#table} where failed_at is null group by topic) topics
join ${this.#table} on id = oldest`,
      [],
      { ms: STATUS_QUERY_MS },
    );
    return rows.map(({ topic, waiting, seconds }) => ({
      topic: String(topic),
      waiting: Number(waiting),
      oldestSeconds: Number(seconds),
    }));
  }
}

/** Sets `synchronous_commit` for the transaction of the statement that reads from it. */
const NO_WAIT_FOR_DISK = "(select set_config('synchronous_commit', 'off', true)) as setting";

/** One string instead of an array, which libraries pass on in different ways. */
const ID_IN = (parameter: string) => `id = any(string_to_array(${parameter}, ',')::bigint[])`;

/** Counting takes longer than the other statements, and nothing waits for it. */
const STATUS_QUERY_MS = MINUTE_MS;
