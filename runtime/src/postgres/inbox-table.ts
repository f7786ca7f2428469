import { hash } from "node:crypto";
import type { CloudEvent } from "../events/index.js";
import type { EventContext } from "../handling/index.js";
import { type Log, loggableError } from "../observability.js";
import type { Clock } from "../time.js";

/** How long a second replica with the same event waits for the first one. */
export const LOCK_TIMEOUT_MS = 2_000;

/** What an inbox remembers of an event. Its strings need no escaping in SQL. */
export interface InboxKey {
  /** With its schema, quoted. */
  readonly table: string;
  readonly consumer: string;
  /** A SHA-256 in hexadecimal digits. */
  readonly digest: string;
}

/**
 * What identifies an event for a consumer, whichever subscription it came through; `undefined` if it
 * is never a duplicate. JSON keeps the parts apart, and escapes what UTF-8 does not have.
 */
export function keyOf(
  table: string,
  consumer: string,
  { source }: CloudEvent,
  { deduplicationKey }: EventContext,
): InboxKey | undefined {
  if (deduplicationKey === undefined) return undefined;
  const identity = JSON.stringify([consumer, source, deduplicationKey]);
  return { table, consumer, digest: hash("sha256", identity, "hex") };
}

/**
 * SQL that inserts a key unless it is there, with a lock timeout of its own. The transaction then has
 * `lockTimeout`, that of its connection, again.
 */
export function insertInStatements(
  { table, consumer, digest }: InboxKey,
  lockTimeout: string,
): string {
  return `set local lock_timeout = ${LOCK_TIMEOUT_MS};
insert into ${table} (key, consumer) values (decode('${digest}', 'hex'), '${consumer}') on conflict do nothing;
set local lock_timeout = '${lockTimeout}'`;
}

/**
 * The same as one statement, for libraries that take a round trip for each. It costs the database more
 * than the insert: a setting keeps the connection's timeout. It returns the ID of the transaction if
 * the key is new.
 */
export function insertInOneStatement({ table, consumer, digest }: InboxKey): string {
  return `insert into ${table} (key, consumer) select decode('${digest}', 'hex'), '${consumer}'
where set_config('lock_timeout', '${LOCK_TIMEOUT_MS}' || left(
  set_config('eventgrid.lock_timeout', current_setting('lock_timeout'), true), 0), true) is not null
on conflict do nothing
returning pg_current_xact_id()::text as id,
  set_config('lock_timeout', current_setting('eventgrid.lock_timeout'), true) as lock_timeout`;
}

const CLEAN_UP_INTERVAL_MS = 60_000;
/** Between two steps that found as much as they delete at a time. */
const PAUSE_MS = 100;
const ROWS_PER_STEP = 1_000;

export interface CleanUpDependencies {
  readonly database: {
    query(
      text: string,
      values: unknown[],
    ): Promise<readonly { readonly count?: unknown; readonly time?: unknown }[]>;
  };
  /** With its schema, quoted. */
  readonly table: string;
  readonly consumer: string;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Deletes a consumer's keys when their time is over by the database's clock, in steps that hold few
 * locks. Replicas skip the rows of each other. A step begins where the last one ended, because keys of
 * consumers with a longer retention may be among the rows, which share an index.
 *
 * @returns a function that ends it
 */
export function deleteExpiredKeys(dependencies: CleanUpDependencies): () => void {
  const { database, table, consumer, retentionMs, clock, log } = dependencies;
  const statement = `with expiry as (select now() - make_interval(secs => $1) as time), deleted as (
  delete from ${table} where key in (
    select key from ${table}
    where handled_at < (select time from expiry) and handled_at >= to_timestamp($2) and consumer = $3
    order by handled_at limit $4 for update skip locked
  ) returning 1
) select count(*)::int as count, (select extract(epoch from time)::float8 from expiry) as time from deleted`;
  let begin = 0;
  let isEnded = false;
  let cancel = () => {};
  const step = async () => {
    let deleted = 0;
    try {
      const values = [retentionMs / 1_000, begin, consumer, ROWS_PER_STEP];
      const [row] = await database.query(statement, values);
      deleted = Number(row?.count);
      if (deleted < ROWS_PER_STEP) begin = Number(row?.time);
    } catch (error) {
      if (!isEnded) log.warn({ err: loggableError(error) }, "old keys of the inbox not deleted");
    }
    if (isEnded) return;
    const delay = deleted < ROWS_PER_STEP ? CLEAN_UP_INTERVAL_MS : PAUSE_MS;
    cancel = clock.schedule(delay, () => void step());
  };
  void step();
  return () => {
    isEnded = true;
    cancel();
  };
}
