import { isObject, predicateRule } from "../validation/index.js";
import { PostgresError } from "./errors.js";
import { type InboxKey, insertInOneStatement, insertInStatements } from "./inbox-table.js";
import { Ending } from "./limits.js";

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
  name: "connections",
  requirement:
    "must be a pool of pg, a database of PGlite, or an object with transaction(work) and max",
  test: (value) =>
    isObject(value) &&
    (isPool(value) ||
      (isCallable(value, "transaction") &&
        (isCallable(value, "exec") || isPositive(Reflect.get(value, "max"))))),
  explain: (value) => (value instanceof Promise ? "is a promise: await it" : undefined),
});

/** The rows of a statement. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** What a transaction begins with, and what ends it early. */
interface TransactionOptions {
  /** The key to insert first. */
  readonly key?: InboxKey | undefined;
  /** Ends the wait for a connection. */
  readonly waiting?: Ending;
  /** Ends the transaction, and its connection if that is possible. */
  readonly running?: Ending;
}

/** How statements and transactions reach the database. */
export interface Database {
  /** How many transactions may run at a time. */
  readonly max: number;
  query(text: string, values?: unknown[]): Promise<Rows>;
  /**
   * Runs `work` in a transaction, and makes sure that it is the one that was committed.
   *
   * @param work `isNew` is false if the key was there
   * @throws the error of a statement or of `work`, after a rollback; that of a limit
   * @throws {PostgresError} when `work` returned, but the transaction was not committed
   */
  transaction<T>(
    work: (client: Queryable, isNew: boolean) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
}

export function databaseOf(source: ConnectionSource): Database {
  if (isPool(source)) return new PgDatabase(source);
  return new OwnTransactions(source);
}

class PgDatabase implements Database {
  readonly max: number;
  /** Of connections, read when a connection is used first: reading it each time costs more than the key. */
  readonly #lockTimeouts = new WeakMap<Queryable, string>();

  constructor(private readonly pool: PgPool) {
    this.max = pool.options.max ?? 10; // the default of pg
  }

  async query(text: string, values: unknown[] = []): Promise<Rows> {
    return rowsOf(await this.pool.query(text, values));
  }

  async transaction<T>(
    work: (client: Queryable, isNew: boolean) => Promise<T>,
    { key, waiting = new Ending(), running = new Ending() }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.#connect(waiting);
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", ignore);
    const { release } = client;
    // Another transaction would take the client, and be committed with this one.
    client.release = refuseRelease;
    const mark = key === undefined ? SETTING_MARK : SAVEPOINT_MARK;
    let isReusable = false;
    const run = async () => {
      try {
        const value = await work(client, await this.#begin(client, key, mark));
        // Only this transaction has the mark: PostgreSQL ends at the first statement that fails.
        const results = await checked(client.query(`${mark.check};commit`));
        if (Object([results].flat()[1]).command !== "COMMIT") throw notCommitted();
        isReusable = true;
        return value;
      } catch (error) {
        if (!running.hasPassed) {
          isReusable = await client.query("rollback").then(
            () => true,
            () => false,
          );
        }
        throw error;
      }
    };
    try {
      return await running.until(run());
    } finally {
      client.removeListener("error", ignore);
      if (!isReusable) client.on("error", ignore); // those of a connection that is being destroyed
      client.release = release;
      client.release(!isReusable);
    }
  }

  /**
   * Begins a transaction, inserts a key and sets the mark, in one round trip.
   *
   * @returns whether the key is new
   */
  async #begin(client: Queryable, key: InboxKey | undefined, mark: Mark): Promise<boolean> {
    if (key === undefined) {
      await client.query(`begin;${mark.set}`);
      return true;
    }
    const insert = insertInStatements(key, await this.#lockTimeoutOf(client));
    // Without parameters, pg sends several statements at once and returns their results.
    const results = await client.query(`begin;${insert};${mark.set}`);
    const rowCount: unknown = Object([results].flat()[2]).rowCount;
    if (typeof rowCount === "number") return rowCount > 0;
    throw new Error("the pool must return the results of several statements as that of pg does");
  }

  async #lockTimeoutOf(client: Queryable): Promise<string> {
    const known = this.#lockTimeouts.get(client);
    if (known !== undefined) return known;
    const [row] = rowsOf(await client.query("show lock_timeout"));
    const read = String(row?.lock_timeout);
    this.#lockTimeouts.set(client, read);
    return read;
  }

  async #connect(waiting: Ending): Promise<PgClient> {
    const connecting = this.pool.connect();
    try {
      return await waiting.until(connecting);
    } catch (error) {
      connecting.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    }
  }
}

/** Transactions of another library; those of PGlite, which has one connection. */
class OwnTransactions implements Database {
  readonly max: number;

  constructor(private readonly source: PGliteDatabase | Transactions) {
    this.max = isPGlite(source) ? 1 : source.max;
  }

  query(text: string, values: unknown[] = []): Promise<Rows> {
    return this.source.transaction(async (client) => rowsOf(await client.query(text, values)));
  }

  async transaction<T>(
    work: (client: Queryable, isNew: boolean) => Promise<T>,
    { key, running = new Ending() }: TransactionOptions = {},
  ): Promise<T> {
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
    let id: string | undefined;
    await this.source.transaction(async (client) => {
      try {
        const begin = key === undefined ? READ_ID : insertInOneStatement(key);
        const [row] = rowsOf(await client.query(begin, []));
        id = row === undefined ? undefined : String(row.id);
        const working = work(client, id !== undefined);
        // PGlite refuses statements after the rollback. Elsewhere, each would be committed by itself, so
        // the transaction waits for `work`.
        const value = await (isPGlite(this.source) ? running.until(working) : working);
        running.throwIfPassed();
        if (id !== undefined) await checked(client.query(checkId(id), []));
        outcome = { value };
      } catch (error) {
        outcome = { error };
        throw error ?? new Error("the function was rejected without an error");
      }
    });
    // A library may resolve although its function was rejected.
    if (outcome === undefined) throw notCommitted();
    if ("error" in outcome) throw outcome.error;
    // A library that repeats a failed commit does not notice that it rolls back.
    if (id !== undefined && !isPGlite(this.source)) {
      const [row] = await this.query(`select pg_xact_status('${id}'::xid8) as status`);
      if (row?.status !== "committed") throw notCommitted();
    }
    return outcome.value;
  }
}

/** SQL that shows whether a transaction is still the one that was begun. */
interface Mark {
  readonly set: string;
  /** Fails in every other transaction, and outside of one. */
  readonly check: string;
}

/** Marks a transaction with a key: a savepoint ends with its transaction. */
const SAVEPOINT_MARK: Mark = {
  set: "savepoint eventgrid_transaction",
  check: "release eventgrid_transaction",
};

/**
 * Marks a transaction without a key, in which `work` may choose an isolation level: below a savepoint it
 * cannot, nor after a statement that takes a snapshot.
 */
const SETTING_MARK: Mark = {
  set: "set local eventgrid.transaction = 'on'",
  // Divides by zero elsewhere, where the setting is null or empty.
  check:
    "select 1 / (current_setting('eventgrid.transaction', true) is not distinct from 'on')::int",
};

/** Makes PostgreSQL give the transaction an ID, which no other one has. */
const READ_ID = "select pg_current_xact_id()::text as id";

/** Fails with a division by zero in any other transaction, and outside of one. */
function checkId(id: string): string {
  return `select 1 / (pg_current_xact_id_if_assigned() is not distinct from '${id}'::xid8)::int as same`;
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

async function checked<T>(checking: Promise<T>): Promise<T> {
  try {
    return await checking;
  } catch (error) {
    const reason = REASONS[sqlStateOf(error) ?? ""];
    if (reason === undefined) throw error;
    throw new PostgresError("ERR_POSTGRES_TRANSACTION", reason, { cause: error });
  }
}

function refuseRelease(): never {
  const message = "the function must not release the client: leave that to the outbox or inbox";
  throw new PostgresError("ERR_POSTGRES_TRANSACTION", message);
}

function notCommitted(): PostgresError {
  const message = "the transaction was rolled back, although its commit did not fail";
  return new PostgresError("ERR_POSTGRES_TRANSACTION", message);
}

/**
 * The SQLSTATE of an error, which libraries put into errors of their own.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export function sqlStateOf(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && isObject(cause); depth += 1) {
    for (const code of [cause.code, isObject(cause.meta) ? cause.meta.code : undefined]) {
      if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
    }
    cause = cause.cause;
  }
  return undefined;
}

function rowsOf({ rows }: { readonly rows: unknown[] }): Rows {
  return rows as Rows;
}

function ignore(): void {}

function isPool(source: object): source is PgPool {
  return isCallable(source, "connect") && isObject(Reflect.get(source, "options"));
}

function isPGlite(source: PGliteDatabase | Transactions): source is PGliteDatabase {
  return isCallable(source, "exec");
}

function isCallable(object: object, name: string): boolean {
  return typeof Reflect.get(object, name) === "function";
}

function isPositive(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
