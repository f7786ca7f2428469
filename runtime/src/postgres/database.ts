import { isObject, predicateRule } from "../validation/index.js";
import type { Ending, Limits } from "./limits.js";

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

/** How statements and transactions reach the database. */
export interface Database {
  /** How many transactions may run at a time. */
  readonly max: number;
  /** Whether several statements without parameters take one round trip. */
  readonly sendsSeveral: boolean;
  query(text: string, values?: unknown[]): Promise<Rows>;
  /**
   * Runs `work` in a transaction.
   *
   * @param first its first statement, or statements if the database sends several; `work` gets their
   * rows
   * @throws the error of a statement or of `work`, after a rollback; that of a limit
   */
  transaction<T>(
    first: string | undefined,
    limits: Pick<Limits, "waiting" | "running">,
    work: (client: Queryable, rows: Rows) => Promise<T>,
  ): Promise<T>;
}

export function databaseOf(source: ConnectionSource): Database {
  if (isPool(source)) return new PgDatabase(source);
  return isPGlite(source) ? new PGlite(source) : new OwnTransactions(source);
}

class PgDatabase implements Database {
  readonly sendsSeveral = true;
  readonly max: number;

  constructor(private readonly pool: PgPool) {
    this.max = pool.options.max ?? 10; // the default of pg
  }

  async query(text: string, values: unknown[] = []): Promise<Rows> {
    return rowsOf(await this.pool.query(text, values));
  }

  async transaction<T>(
    first: string | undefined,
    { waiting, running }: Pick<Limits, "waiting" | "running">,
    work: (client: Queryable, rows: Rows) => Promise<T>,
  ): Promise<T> {
    const client = await this.#connect(waiting);
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", ignore);
    let isReusable = false;
    const run = async () => {
      try {
        const begin = first === undefined ? "begin" : `begin;${first}`;
        const results = [await client.query(begin)].flat();
        const value = await work(client, results.flatMap(rowsOf));
        const { command } = { command: "", ...(await client.query("commit")) };
        if (command !== "COMMIT") throw new Error(ROLLED_BACK);
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
      client.release(!isReusable);
    }
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

/** PGlite has one connection, and rejects the commit of a transaction with a failed statement. */
class PGlite implements Database {
  readonly sendsSeveral = false;
  readonly max = 1;

  constructor(private readonly database: PGliteDatabase) {}

  async query(text: string, values: unknown[] = []): Promise<Rows> {
    return rowsOf(await this.database.query(text, values));
  }

  transaction<T>(
    first: string | undefined,
    { running }: Pick<Limits, "waiting" | "running">,
    work: (client: Queryable, rows: Rows) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async (client) => {
      const rows = await firstRows(client, first);
      // PGlite refuses further statements of a transaction whose work was rejected.
      return running.until(work(client, rows));
    });
  }
}

class OwnTransactions implements Database {
  readonly sendsSeveral = false;
  readonly max: number;

  constructor(private readonly source: Transactions) {
    this.max = source.max;
  }

  query(text: string, values: unknown[] = []): Promise<Rows> {
    return this.source.transaction(async (client) => rowsOf(await client.query(text, values)));
  }

  transaction<T>(
    first: string | undefined,
    { running }: Pick<Limits, "waiting" | "running">,
    work: (client: Queryable, rows: Rows) => Promise<T>,
  ): Promise<T> {
    return this.source.transaction(async (client) => {
      const rows = await firstRows(client, first);
      // Statements after the rollback would be committed each by itself, so it waits for `work`.
      const value = await work(client, rows);
      running.throwIfPassed();
      // Fails if a statement has failed: a library may not notice that the commit rolls back.
      await client.query("select 1", []);
      return value;
    });
  }
}

const ROLLED_BACK =
  "the transaction was rolled back, because a statement in it had failed: let the handler throw its error";

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

async function firstRows(client: Queryable, statement: string | undefined): Promise<Rows> {
  return statement === undefined ? [] : rowsOf(await client.query(statement, []));
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
