import { CloudEventGridError } from "../errors.js";
import { ConfigurationError, type Problem } from "../validation/index.js";

/** The options of an outbox, an inbox or their tables are invalid. */
export class PostgresConfigurationError extends ConfigurationError {
  readonly code = "ERR_POSTGRES_CONFIGURATION";

  /** @param made what cannot be created */
  constructor(made: "outbox" | "inbox" | "SQL of the tables", problems: readonly Problem[]) {
    super(`The ${made} cannot be created`, problems);
  }
}

/** A table is missing, or older than this version of the package needs it. */
export class PostgresTableError extends CloudEventGridError {
  readonly code = "ERR_POSTGRES_TABLE";
}

/**
 * Why an inbox did not handle an event, which will be delivered again.
 *
 * - `ERR_INBOX_BUSY`: another replica has been handling it for 2 s
 * - `ERR_INBOX_OVERDUE`: no connection was free before the deadline, or the handler went on for
 *   `overdueMs` after it
 * - `ERR_INBOX_CLOSED`: the inbox is closed
 */
export type InboxErrorCode = "ERR_INBOX_BUSY" | "ERR_INBOX_OVERDUE" | "ERR_INBOX_CLOSED";

/** An inbox did not handle an event, or rolled its transaction back. */
export class InboxError extends CloudEventGridError {
  constructor(
    readonly code: InboxErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
