import { CloudEventGridError } from "../errors.js";

/**
 * - `ERR_POSTGRES_TABLE`: a table is missing or another one, or the role must not use it
 * - `ERR_POSTGRES_TRANSACTION`: a transaction was not committed, although the function that worked in
 *   it returned: it ended the transaction itself, or hid that a statement had failed; or the
 *   connection was lost
 * - `ERR_POSTGRES_TIMEOUT`: PostgreSQL did not answer within 10 s, or 30 s for a commit, which may have
 *   taken place
 * - `ERR_INBOX_BUSY`: another transaction is handling the event
 * - `ERR_INBOX_OVERDUE`: no connection was free before the deadline, or the handler went on for
 *   `overdueMs` after it
 * - `ERR_INBOX_CLOSED`: the inbox is closed
 */
export type PostgresErrorCode =
  | "ERR_POSTGRES_TABLE"
  | "ERR_POSTGRES_TRANSACTION"
  | "ERR_POSTGRES_TIMEOUT"
  | "ERR_INBOX_BUSY"
  | "ERR_INBOX_OVERDUE"
  | "ERR_INBOX_CLOSED";

/** An outbox or an inbox cannot do its work now. Nothing was committed, unless a connection was lost. */
export class PostgresError extends CloudEventGridError {
  constructor(
    readonly code: PostgresErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
