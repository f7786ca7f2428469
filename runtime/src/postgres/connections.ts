import { ConfigurationError, problem } from "../errors.js";
import { isObject, predicateRule } from "../validation/index.js";
import type { Ending } from "./limits.js";

/** Runs a statement: a client of `pg`, a transaction of PGlite, or your own. */
export interface Queryable {
  /** @param values of the parameters `$1`, `$2` and so on */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

/** A connection of a {@link PgPool}. */
export interface PgClient extends Queryable {
  release(destroy?: boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
}

/** A pool of `pg`. Its client has more methods than are listed here. */
export interface PgPool<Client extends PgClient = PgClient> extends Queryable {
  // Overloaded as that of `pg`, so that the compiler finds the type of its client.
  connect: { (): Promise<Client>; (callback: never): void };
  readonly options: { readonly max?: number | undefined };
  readonly idleCount?: number;
}

/** A database of PGlite. */
export interface PGliteDatabase extends Queryable {
  transaction<T>(work: (client: Queryable) => Promise<T>): Promise<T>;
  exec(statements: string): Promise<unknown>;
}

/** Connections of another library. */
export interface Transactions<Client extends Queryable = Queryable> {
  /**
   * Calls `work` in a transaction: commits it when `work` has resolved, and rolls it back when it was
   * rejected.
   */
  transaction<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** How many transactions may run at a time. */
  readonly max: number;
}

/** Where connections come from: a pool of `pg`, PGlite, or your own {@link Transactions}. */
export type ConnectionSource = PgPool | PGliteDatabase | Transactions;

/** The type of the client that a source of connections gives to transactions. */
export type ClientOf<Source> = Source extends {
  connect: { (): Promise<infer Client>; (callback: never): void };
}
  ? Client
  : Source extends { transaction(work: (client: infer Client) => Promise<unknown>): unknown }
    ? Client
    : Queryable;

export const CONNECTIONS_RULE = predicateRule({
  requirement: {
    connections:
      "must be a pool of pg, a database of PGlite, or an object with transaction(work) and max",
  },
  test: (value) =>
    isObject(value) &&
    (isPool(value) ||
      (isCallable(value, "transaction") &&
        (isCallable(value, "exec") || isPositive(Reflect.get(value, "max"))))),
  explain: (value) => (value instanceof Promise ? "is a promise: await it" : undefined),
});

/** The rows of a statement. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** How long PostgreSQL may take for a statement of the outbox or inbox, with the wait for a connection. */
export const STATEMENT_MS = 10_000;

/** The limits that end a statement early. */
export interface StatementLimits {
  /** @default STATEMENT_MS */
  readonly ms?: number;
  readonly ending?: Ending;
}

/** The key under which an inbox remembers an event. Its strings need no escaping in SQL. */
export interface InboxKey {
  /** With its schema, quoted. */
  readonly table: string;
  readonly consumer: string;
  /** A SHA-256 in hexadecimal digits. */
  readonly digest: string;
}

/** The first statements of a transaction, and the limits that end it early. */
export interface TransactionOptions {
  /** The key to insert first. */
  readonly key?: InboxKey | undefined;
  /** Ends the wait for a connection. */
  readonly waiting?: Ending;
  /** Ends the transaction, and its connection if that is possible. */
  readonly running?: Ending;
}

/** How single statements reach the database. */
export interface Statements {
  /**
   * Runs a statement by itself, again after a serialization failure.
   *
   * @throws {PostgresError} `ERR_POSTGRES_TIMEOUT` when PostgreSQL does not answer
   */
  query(text: string, values?: unknown[], limits?: StatementLimits): Promise<Rows>;
}

/** How statements and transactions reach the database. Each wait for it ends. */
export interface Database extends Statements {
  /** How many transactions may run at a time. */
  readonly max: number;
  /**
   * Runs `work` in a transaction, and makes sure that it is the one that was committed.
   *
   * @param work `isNew` is false if the key was there
   * @throws the error of a statement or of `work`, after a rollback; that of a limit
   * @throws {PostgresError} when `work` returned, but the transaction was not committed; when
   * PostgreSQL does not answer the statements that begin and end it
   */
  transaction<T>(
    work: (client: Queryable, isNew: boolean) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
}

/** The error of a client, probably of another library, whose result is not the rows of its statement. */
export function unreadable(): ConfigurationError {
  return new ConfigurationError("A statement cannot be read", [
    problem("pool", {
      rows: "must have clients whose query() resolves to { rows }, an object each",
    }),
  ]);
}

/** @throws {ConfigurationError} when the client of another library returns something else than rows */
export function rowsOf(result: unknown): Rows {
  const rows = isObject(result) ? result.rows : undefined;
  if (Array.isArray(rows) && rows.slice(0, 1).every((row) => isObject(row) && !Array.isArray(row)))
    return rows;
  throw unreadable();
}

export function isPool(source: object): source is PgPool {
  return isCallable(source, "connect") && isObject(Reflect.get(source, "options"));
}

export function isPGlite(source: object): source is PGliteDatabase {
  return isCallable(source, "exec");
}

function isCallable(object: object, name: string): boolean {
  return typeof Reflect.get(object, name) === "function";
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
