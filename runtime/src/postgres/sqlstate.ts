import { isObject } from "../validation/index.js";
import { PostgresError } from "./errors.js";

/** How a standby or a read-only server refuses what changes rows. */
export const READ_ONLY = "25006";
/** The connection does not have a prepared statement. */
export const NO_SUCH_STATEMENT = "26000";
/** The connection has a prepared statement of this name. */
export const STATEMENT_EXISTS = "42P05";
/** The encoding of the database lacks a character of a text. */
export const UNTRANSLATABLE = "22P05";
/** Serialization failure, deadlock. */
const TRANSIENT = new Set(["40001", "40P01"]);

const MAX_TRIES = 3;
const MAX_DEPTH = 6;

/** Where libraries put the error of their driver, or its code. */
const CAUSES = ["cause", "meta", "driverAdapterError", "driverError", "original", "parent"];
const CODES = ["code", "originalCode"];
/** Neither a code of Prisma, such as P2010, nor one of Node, such as EPIPE. */
const SQLSTATE = /^(?=.*\d)(?!P[1-9])[0-9A-Z]{5}$/;

/**
 * The SQLSTATE of an error, which libraries put into errors of their own; "" if it has none.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function sqlStateOf(error: unknown, levels = MAX_DEPTH): string {
  if (!isObject(error) || levels < 0) return "";
  for (const name of CODES) {
    const code = error[name];
    if (typeof code === "string" && SQLSTATE.test(code)) return code;
  }
  for (const name of CAUSES) {
    const state = sqlStateOf(error[name], levels - 1);
    if (state !== "") return state;
  }
  return "";
}

/** Reports whether a transaction may succeed when it runs again. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(sqlStateOf(error));
}

/** Connection exceptions, operator interventions, and a transaction that may only read. */
const UNAVAILABLE = ["08", "57P", "25006"];

/** Reports whether the server is there and takes changes, so that its connection is of use. */
export function canGoOn(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== "" && !UNAVAILABLE.some((start) => state.startsWith(start));
}

/** Repeats what failed because of a concurrent transaction, while `mayRepeat` says so. */
export async function repeated<T>(
  work: () => Promise<T>,
  mayRepeat = (_: unknown) => true,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !isTransient(error) || !mayRepeat(error)) throw error;
    }
  }
}

const ENDED =
  "the transaction ended before the function that works in it: leave begin, commit and rollback to the outbox or inbox";

/** Why a transaction is not committed, by the SQLSTATE of the check before. */
const REASONS: Readonly<Record<string, string>> = {
  "22012": ENDED, // division by zero
  "25P01": ENDED, // no transaction
  "3B001": ENDED, // no such savepoint
  "25P02":
    "the transaction was rolled back, because a statement in it had failed: let the function throw its error",
};

/** The error of a check, if PostgreSQL did not get as far as the commit; otherwise `undefined`. */
export function notCommittedBecause(error: unknown): PostgresError | undefined {
  const reason = REASONS[sqlStateOf(error)];
  return reason === undefined
    ? undefined
    : new PostgresError("ERR_POSTGRES_TRANSACTION", reason, { cause: error });
}
