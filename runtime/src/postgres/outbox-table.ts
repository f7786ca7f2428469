import type { Database, Queryable, Rows } from "./database.js";
import { qualified } from "./tables.js";

/** A row that the relay has claimed. */
export interface ClaimedRow {
  readonly id: string;
  /** The event as one JSON object, in UTF-8. */
  readonly body: Uint8Array;
}

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

  constructor(schema: string, table: string, leaseMs: number) {
    this.#table = qualified(schema, table);
    this.#leaseSeconds = leaseMs / 1_000;
  }

  async add(client: Queryable, bodies: readonly Uint8Array[]): Promise<void> {
    for (let start = 0; start < bodies.length; start += ROWS_PER_INSERT) {
      const rows = bodies.slice(start, start + ROWS_PER_INSERT);
      const parameters = rows.map((_, index) => `($${index + 1})`).join(", ");
      await client.query(`insert into ${this.#table} (body) values ${parameters}`, rows);
    }
  }

  /**
   * Leases the oldest rows that no relay has. A lost commit of this statement, and of those that end a
   * lease, only lets an event be published again, so none of them waits for the disk.
   *
   * @param maxBytes is exceeded by one row at most
   */
  async claim(
    database: Database,
    lease: string,
    maxRows: number,
    maxBytes: number,
  ): Promise<ClaimedRow[]> {
    const rows = await database.query(
      `with candidate as materialized (
  select id, octet_length(body) as size from ${this.#table}
  where failed_at is null and (leased_until is null or leased_until < clock_timestamp())
  order by id limit $1 for update skip locked
), chosen as (
  select id from (select id, sum(size) over (order by id) - size as before from candidate) sizes
  where before < $2
)
update ${this.#table} as leased set lease = $3, leased_until = clock_timestamp() + make_interval(secs => $4)
from chosen, ${NO_WAIT_FOR_DISK} where leased.id = chosen.id
returning leased.id::text as id, leased.body as body`,
      [maxRows, maxBytes, lease, this.#leaseSeconds],
    );
    return rows.map(({ id, body }) => ({ id: String(id), body: bytesOf(body) }));
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
      `select id::text as row, body, failure as reason, extract(epoch from failed_at)::float8 as seconds
from ${this.#table} where failed_at is not null order by failed_at limit $1`,
      [limit],
    );
    return rows.map(({ row, body, reason, seconds }) => ({
      row: String(row),
      event: JSON.parse(textOf(bytesOf(body))),
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

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError("the source of connections must return bytea as a Uint8Array or a Buffer");
}
