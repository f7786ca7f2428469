import type { EncodedEvent } from "../publisher/event/index.js";
import type { Database, Queryable, Rows } from "./database.js";
import type { OutboxSettings } from "./options.js";
import { qualified } from "./tables.js";

/** An event that Event Grid refused for good. */
export interface FailedEvent {
  /** The `id` of its row in the table. */
  readonly row: string;
  /** The event as it was sent. */
  readonly event: Readonly<Record<string, unknown>>;
  /** What Event Grid answered. */
  readonly reason: string;
  readonly failedAt: Date;
}

/** How much waits in the table. */
export interface OutboxStatus {
  readonly waiting: number;
  /** Age of the event that has waited longest; 0 when none waits. */
  readonly oldestSeconds: number;
}

/** Rows of one `insert`. Each has one parameter, of which PostgreSQL accepts 65,535. */
const ROWS_PER_INSERT = 1_000;

/**
 * The statements of the outbox. Their parameters are numbers, strings and bytes, each used once and in
 * order, which every library can pass on.
 */
export class OutboxTable {
  readonly #table: string;
  readonly #leaseSeconds: number;

  constructor({ schema, table, leaseMs }: Pick<OutboxSettings, "schema" | "table" | "leaseMs">) {
    this.#table = qualified(schema, table);
    this.#leaseSeconds = leaseMs / 1_000;
  }

  async add(client: Queryable, events: readonly EncodedEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += ROWS_PER_INSERT) {
      const rows = events
        .slice(start, start + ROWS_PER_INSERT)
        .map(({ json }) => Buffer.from(json));
      const parameters = rows.map((_, index) => `($${index + 1})`).join(", ");
      await client.query(`insert into ${this.#table} (body) values ${parameters}`, rows);
    }
  }

  /**
   * Leases the oldest rows that no relay has. A lost commit of this statement, and of those that end a
   * lease, only lets an event be published again, so none of them waits for the disk.
   *
   * @param after the `id` of a row, or "0": older rows are passed over
   * @param maxBytes is exceeded by one row at most
   * @returns the events, each with the `id` of its row
   */
  async claim(
    database: Database,
    lease: string,
    after: string,
    maxRows: number,
    maxBytes: number,
  ): Promise<EncodedEvent[]> {
    const rows = await database.query(
      `with candidate as materialized (
  select ctid as place, id, octet_length(body) as size from ${this.#table}
  where failed_at is null and (leased_until is null or leased_until < clock_timestamp())
  and id > $1::bigint order by id limit $2 for update skip locked
)
update ${this.#table} as leased set lease = $3, leased_until = clock_timestamp() + make_interval(secs => $4)
from ${NO_WAIT_FOR_DISK} where leased.ctid = any(array(
  select place from (select place, sum(size) over (order by id) - size as before from candidate) sizes
  where before < $5
))
returning leased.id::text as id, ${JSON_OF_BODY} as json, octet_length(body) as bytes`,
      [after, maxRows, lease, this.#leaseSeconds, maxBytes],
    );
    return rows.map(({ id, json, bytes }) => ({
      id: String(id),
      type: "",
      json: jsonOf(json),
      bytes: Number(bytes),
    }));
  }

  /** Deletes published rows, unless another relay has them now. */
  async delete(database: Database, lease: string, ids: readonly string[]): Promise<void> {
    await database.query(
      `delete from ${this.#table} using ${NO_WAIT_FOR_DISK} where lease = $1 and ${ID_IN("$2")}`,
      [lease, ids.join()],
    );
  }

  /** Ends the lease of rows that were not published. */
  async release(database: Database, lease: string, ids: readonly string[]): Promise<void> {
    await database.query(
      `update ${this.#table} set lease = null, leased_until = null where lease = $1 and ${ID_IN("$2")}`,
      [lease, ids.join()],
    );
  }

  async setAside(database: Database, lease: string, id: string, reason: string): Promise<void> {
    await database.query(
      `update ${this.#table} set failed_at = clock_timestamp(), failure = $1, lease = null, leased_until = null
where lease = $2 and ${ID_IN("$3")}`,
      // Text of PostgreSQL has no NUL.
      [reason.replaceAll("\0", ""), lease, id],
    );
  }

  async failed(database: Database, limit: number): Promise<FailedEvent[]> {
    const rows = await database.query(
      `select id::text as row, ${JSON_OF_BODY} as json, failure as reason, extract(epoch from failed_at)::float8 as seconds
from ${this.#table} where failed_at is not null order by failed_at limit $1`,
      [limit],
    );
    return rows.map(({ row, json, reason, seconds }) => ({
      row: String(row),
      event: JSON.parse(jsonOf(json)),
      reason: String(reason),
      failedAt: new Date(Number(seconds) * 1_000),
    }));
  }

  async status(database: Database): Promise<OutboxStatus> {
    const rows: Rows = await database.query(
      `select count(*)::float8 as waiting, coalesce((
  select extract(epoch from clock_timestamp() - stored_at) from ${this.#table}
  where failed_at is null order by id limit 1
), 0)::float8 as seconds from ${this.#table} where failed_at is null`,
    );
    const { waiting, seconds } = { waiting: 0, seconds: 0, ...rows[0] };
    return { waiting: Number(waiting), oldestSeconds: Number(seconds) };
  }
}

/** Sets `synchronous_commit` for the transaction of the statement that reads from it. */
const NO_WAIT_FOR_DISK = "(select set_config('synchronous_commit', 'off', true)) as setting";

/** One string instead of an array, which libraries pass on in different ways. */
const ID_IN = (parameter: string) => `id = any(string_to_array(${parameter}, ',')::bigint[])`;

/**
 * The body as text, which takes half of the bytes that PostgreSQL sends for a `bytea`. A database with
 * another encoding may not have its characters, and returns hexadecimal digits.
 */
const JSON_OF_BODY =
  "case when getdatabaseencoding() = 'UTF8' then convert_from(body, 'UTF8') else encode(body, 'hex') end";

function jsonOf(body: unknown): string {
  const text = String(body);
  return text.startsWith("{") ? text : Buffer.from(text, "hex").toString("utf8");
}
