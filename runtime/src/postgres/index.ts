/**
 * Effects exactly once, with tables in the service's own PostgreSQL: an outbox stores events in the
 * transaction that causes them, an inbox commits a handler's work together with the fact that the
 * event was handled.
 */
export type {
  ClientOf,
  ConnectionSource,
  PGliteDatabase,
  PgClient,
  PgPool,
  Queryable,
  Transactions,
} from "./connections.js";
export { PostgresError, type PostgresErrorCode } from "./errors.js";
export { createInbox, type Inbox, type InboxContext } from "./inbox.js";
export type { InboxOptions, OutboxOptions, PostgresOptions } from "./options.js";
export { createOutbox, type Outbox } from "./outbox.js";
export { type TablesOptions, tablesSql } from "./tables.js";
