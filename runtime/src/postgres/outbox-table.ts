import type { EncodedEvent } from "../publisher/event/index.js";
import { isObject } from "../validation/index.js";
import { type Database, type Queryable, type Rows, sqlStateOf } from "./database.js";
import type { OutboxSettings } from "./options.js";
import { qualified } from "./tables.js";

/** An event that was set aside, because it cannot be published. */
export interface FailedEvent {
  /** The `id` of its row in the table. */
  readonly row: string;
  /** The event as it was sent; `undefined` if something else than `add` stored what is none. */
  readonly event: Readonly<Record<string, unknown>> | undefined;
  /** What Event Grid answered, or what the row is not. */
  readonly reason: string;
  readonly failedAt: Date;
}

/** How much waits in the table for a topic. */
export interface OutboxStatus {
  /** Host and path of its endpoint; `null` if a former version stored the events. */
  readonly topic: string | null;
  readonly waiting: number;
  /** Age of the event that has waited longest. */
  readonly oldestSeconds: number;
}

/** The rows that a relay has claimed. */
export interface Claim {
  readonly events: readonly EncodedEvent[];
  /** Rows that are no events: something else than `add` has stored them. */
  readonly unreadable: readonly string[];
}

/** Rows of one `insert`. Each has one parameter more, of which PostgreSQL accepts 65,535. */
const ROWS_PER_INSERT = 1_000;

/**
 * The statements of the outbox. Their parameters are numbers, strings and bytes, each used once and in
 * order, which every library can pass on.
 */
export class OutboxTable {
  readonly #table: string;
  readonly #leaseSeconds: number;

  /** @param topic host and path of its endpoint: events of other topics may be in the same table */
  constructor(
    readonly topic: string,
    { schema, table, leaseMs }: Pick<OutboxSettings, "schema" | "table" | "leaseMs">,
  ) {
    this.#table = qualified(schema, table);
    this.#leaseSeconds = leaseMs / 1_000;
  }

  async add(client: Queryable, events: readonly EncodedEvent[]): Promise<void> {
    for (let start = 0; start < events.length; start += ROWS_PER_INSERT) {
      const bodies = events
        .slice(start, start + ROWS_PER_INSERT)
        .map(({ json }) => Buffer.from(json));
      const rows = bodies.map((_, index) => `($${index + 2}::bytea)`).join(", ");
      await client.query(
        `insert into ${this.#table} (topic, body) select $1, body from (values ${rows}) as events (body)`,
        [this.topic, ...bodies],
      );
    }
  }

  /**
   * Leases the oldest rows that no relay has. A lost commit of this statement, and of those that end a
   * lease, only lets an event be published again, so none of them waits for the disk.
   *
   * @param after the `id` of a row, or "0": older rows are passed over
   * @param maxBytes is exceeded by one row at most
   * @returns the events, with the IDs of their rows
   */
  async claim(
    database: Database,
    lease: string,
    after: string,
    maxRows: number,
    maxBytes: number,
  ): Promise<Claim> {
    const claimed = (body: string) =>
      database.query(
        `with candidate as materialized (
  select ctid as place, id, octet_length(body) as size from ${this.#table}
  where topic = $1 and failed_at is null and (leased_until is null or leased_until < clock_timestamp())
  and id > $2::bigint order by id limit $3 for update skip locked
)
update ${this.#table} as leased set lease = $4, leased_until = clock_timestamp() + make_interval(secs => $5)
from ${NO_WAIT_FOR_DISK} where leased.ctid = any(array(
  select place from (select place, sum(size) over (order by id) - size as before from candidate) sizes
  where before < $6
))
returning leased.id::text as id, ${body} as body, octet_length(body) as bytes`,
        [this.topic, after, maxRows, lease, this.#leaseSeconds, maxBytes],
      );
    try {
      // Text takes half of the bytes that PostgreSQL sends for a `bytea`.
      return claimOf(await claimed("convert_from(body, 'UTF8')"), String);
    } catch (error) {
      if (!NOT_TEXT.has(sqlStateOf(error) ?? "")) throw error;
      return claimOf(await claimed("encode(body, 'base64')"), jsonOf);
    }
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
      `select id::text as row, encode(body, 'base64') as body, failure as reason, extract(epoch from failed_at)::float8 as seconds
from ${this.#table} where topic = $1 and failed_at is not null order by failed_at limit $2`,
      [this.topic, limit],
    );
    return rows.map(({ row, body, reason, seconds }) => {
      const json = jsonOf(body);
      const failedAt = new Date(Number(seconds) * 1_000);
      const event = json === undefined ? undefined : JSON.parse(json);
      return { row: String(row), event, reason: String(reason), failedAt };
    });
  }

  /** What waits, for each topic that has events in the table. */
  async status(database: Database): Promise<OutboxStatus[]> {
    const rows = await database.query(
      `select topics.topic, waiting::float8 as waiting, extract(epoch from clock_timestamp() - stored_at)::float8 as seconds
from (select topic, count(*) as waiting, min(id) as oldest from ${this.#table} where failed_at is null group by topic) topics
join ${this.#table} on id = oldest`,
    );
    return rows.map(({ topic, waiting, seconds }) => ({
      topic: topic === null ? null : String(topic),
      waiting: Number(waiting),
      oldestSeconds: Number(seconds),
    }));
  }
}

/** Sets `synchronous_commit` for the transaction of the statement that reads from it. */
const NO_WAIT_FOR_DISK = "(select set_config('synchronous_commit', 'off', true)) as setting";

/** One string instead of an array, which libraries pass on in different ways. */
const ID_IN = (parameter: string) => `id = any(string_to_array(${parameter}, ',')::bigint[])`;

/** How PostgreSQL reports bytes that are not UTF-8, and characters that the database's encoding lacks. */
const NOT_TEXT = new Set(["22021", "22P05"]);

function claimOf(rows: Rows, toJson: (body: unknown) => string | undefined): Claim {
  const events: EncodedEvent[] = [];
  const unreadable: string[] = [];
  for (const row of rows) {
    const id = String(row.id);
    const json = toJson(row.body);
    if (json?.startsWith("{")) events.push({ id, type: "", json, bytes: Number(row.bytes) });
    else unreadable.push(id);
  }
  return { events, unreadable };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a body if it is a JSON object in UTF-8. */
function jsonOf(base64: unknown): string | undefined {
  try {
    const text = utf8.decode(Buffer.from(String(base64), "base64"));
    return isObject(JSON.parse(text)) ? text : undefined;
  } catch {
    return undefined;
  }
}
