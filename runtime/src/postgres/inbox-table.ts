import { hash } from "node:crypto";
import type { CloudEvent } from "../events/index.js";
import type { EventContext } from "../handling/index.js";
import { type Log, loggableError } from "../observability.js";
import type { Clock } from "../time.js";
import { MINUTE_MS, SECOND_MS } from "../units.js";
import type { InboxKey, Statements } from "./connections.js";
import type { Ending } from "./limits.js";

/**
 * Returns the key that identifies an event for a consumer, whichever subscription it came through; `undefined` if it
 * is never a duplicate. JSON keeps the parts apart, and escapes what UTF-8 does not have.
 */
export function inboxKeyOf(
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
 * SQL that inserts a key unless it is there, or another transaction is inserting it, without a wait. It
 * returns the ID of the transaction if the key is new.
 */
export function insertKey(key: InboxKey): string {
  return insertInto(key.table, valuesOf(key));
}

/** SQL that prepares this insert on a connection. Planning it takes a tenth of a delivery's time. */
export function prepareInsert(table: string): string {
  return `prepare ${nameOf(table)} (bytea, text, bigint) as ${insertInto(table, ["$1", "$2", "$3"])}`;
}

/** SQL that does what {@link insertKey} does with the prepared statement. */
export function executeInsert(key: InboxKey): string {
  return `execute ${nameOf(key.table)} (${valuesOf(key).join()})`;
}

/** Change it with the insert: another release may have prepared its own on a connection of a pooler. */
function nameOf(table: string): string {
  return table.replace(/"(\w*)".*/, '"eventgrid1 $1"');
}

function insertInto(table: string, [key, consumer, lock]: readonly string[]): string {
  return `insert into ${table} (key, consumer) select ${key}, ${consumer}
where pg_try_advisory_xact_lock(${lock}) on conflict do nothing returning pg_current_xact_id()::text as id`;
}

function valuesOf({ table, consumer, digest }: InboxKey): string[] {
  // Of this table alone: other services may have an inbox and a consumer of this name in their schema.
  const lock = Number.parseInt(hash("sha256", `${table} ${digest}`, "hex").slice(0, 13), 16);
  return [`decode('${digest}', 'hex')`, `'${consumer}'`, `${lock}`];
}

/** SQL that returns a row if the key was committed. */
export function findKey({ table, digest }: InboxKey): string {
  return `select 1 as found from ${table} where key = decode('${digest}', 'hex')`;
}

/** SQL that deletes a key which that transaction inserted, and no other one. */
export function deleteKeyOf({ table, digest }: InboxKey, id: string): string {
  return `delete from ${table} where key = decode('${digest}', 'hex') and xmin = '${id}'::xid8::xid returning 1 as deleted`;
}

/** The insert of a key, with nothing to do. */
export function insertNothing(table: string): string {
  return `insert into ${table} (key, consumer) select '', '' where false on conflict do nothing`;
}

const CLEAN_UP_INTERVAL_MS = MINUTE_MS;
/** Between two steps that found as much as they delete at a time. */
const PAUSE_MS = 100;
const ROWS_PER_STEP = 1_000;

export interface CleanUpDependencies {
  readonly database: Statements;
  /** With its schema, quoted. */
  readonly table: string;
  readonly consumer: string;
  readonly retentionMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends it. */
  readonly ending: Ending;
}

/**
 * Deletes keys of a consumer whose time is over by the database's clock. Replicas skip the rows of each
 * other.
 *
 * @returns how many
 */
export async function deleteKeys(
  { database, table, consumer, retentionMs, ending }: CleanUpDependencies,
  limit: number,
): Promise<number> {
  const statement = `with deleted as (delete from ${table} where key in (
  select key from ${table} where consumer = $1 and handled_at < now() - make_interval(secs => $2)
  order by handled_at limit $3 for update skip locked
) returning 1) select count(*)::int as count from deleted`;
  const values = [consumer, retentionMs / SECOND_MS, limit];
  const [row] = await database.query(statement, values, { ending });
  return Number(row?.count);
}

/** Deletes them in steps that hold few locks, until its ending passes. */
export function deleteExpiredKeys(dependencies: CleanUpDependencies): void {
  const { clock, log, ending } = dependencies;
  const step = async () => {
    let deleted = 0;
    try {
      deleted = await deleteKeys(dependencies, ROWS_PER_STEP);
    } catch (error) {
      if (!ending.hasPassed)
        log.warn({ err: loggableError(error) }, "old keys of the inbox not deleted");
    }
    const delay = deleted < ROWS_PER_STEP ? CLEAN_UP_INTERVAL_MS : PAUSE_MS;
    const cancel = clock.schedule(delay, () => {
      leave();
      void step();
    });
    const leave = ending.onPass(cancel);
  };
  void step();
}
