import { hash } from "node:crypto";
import type { CloudEvent } from "../events/index.js";
import type { EventContext } from "../handling/index.js";

/** How long a second replica with the same event waits for the first one. */
export const LOCK_TIMEOUT_MS = 2_000;

/** What an inbox remembers of an event. */
export interface InboxKey {
  /** With its schema, quoted. */
  readonly table: string;
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
  return { table, digest: hash("sha256", identity, "hex") };
}

/**
 * SQL that inserts a key unless it is there, with a lock timeout of its own. The transaction then has
 * `lockTimeout`, that of its connection, again.
 */
export function insertInStatements({ table, digest }: InboxKey, lockTimeout: string): string {
  return `set local lock_timeout = ${LOCK_TIMEOUT_MS};
insert into ${table} (key) values (decode('${digest}', 'hex')) on conflict do nothing;
set local lock_timeout = '${lockTimeout}'`;
}

/**
 * The same as one statement, for libraries that take a round trip for each. It costs the database more
 * than the insert: a setting keeps the connection's timeout. It returns a row if the key is new.
 */
export function insertInOneStatement({ table, digest }: InboxKey): string {
  return `insert into ${table} (key) select decode('${digest}', 'hex')
where set_config('lock_timeout', '${LOCK_TIMEOUT_MS}' || left(
  set_config('eventgrid.lock_timeout', current_setting('lock_timeout'), true), 0), true) is not null
on conflict do nothing
returning set_config('lock_timeout', current_setting('eventgrid.lock_timeout'), true)`;
}
