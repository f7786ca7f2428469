import type { Clock } from "../time.js";
import {
  type ConnectionSource,
  type Database,
  type InboxKey,
  isPGlite,
  isPool,
  type PGliteDatabase,
  type PgClient,
  type PgPool,
  type Queryable,
  type Rows,
  rowsOf,
  STATEMENT_MS,
  type StatementLimits,
  type Statements,
  type TransactionOptions,
  type Transactions,
} from "./connections.js";
import { PostgresError } from "./errors.js";
import { deleteKeyOf, executeInsert, findKey, insertKey, prepareInsert } from "./inbox-table.js";
import { Ending } from "./limits.js";
import {
  canGoOn,
  NO_SUCH_STATEMENT,
  notCommittedBecause,
  READ_ONLY,
  repeated,
  STATEMENT_EXISTS,
  sqlStateOf,
} from "./sqlstate.js";

/** A commit waits for deferred constraints, and for replicas of the server. */
const COMMIT_MS = 30_000;
/** Only this transaction has it: a savepoint ends with its transaction. */
const MARK = "savepoint eventgrid_transaction";

export function databaseOf(source: ConnectionSource, clock: Clock): Database {
  return isPool(source) ? new PgDatabase(source, clock) : new LibraryDatabase(source, clock);
}

abstract class LimitedStatements implements Statements {
  protected abstract statement(limit: Ending, text: string, values: unknown[]): Promise<Rows>;

  constructor(private readonly clock: Clock) {}

  query(
    text: string,
    values: unknown[] = [],
    { ms = STATEMENT_MS, ending = new Ending() }: StatementLimits = {},
  ): Promise<Rows> {
    return repeated(async () => {
      const limit = new Ending();
      const leave = ending.onPass((error) => limit.pass(error));
      const cancel = this.deadline(limit, ms);
      try {
        return await this.statement(limit, text, values);
      } finally {
        cancel();
        leave();
      }
    });
  }

  /** Ends a wait for PostgreSQL, unless the returned function is called before. */
  protected deadline(limit: Ending, ms: number): () => void {
    return this.clock.schedule(ms, () => {
      const message = `PostgreSQL did not answer within ${ms} ms, or no connection of the pool was free`;
      limit.pass(new PostgresError("ERR_POSTGRES_TIMEOUT", message));
      this.afterSilence();
    });
  }

  protected afterSilence(): void {}
}

class PgDatabase extends LimitedStatements implements Database {
  readonly max: number;
  /** False once a connection has lost its prepared insert, such as behind a pooler. */
  #keepsPrepared = true;

  constructor(
    private readonly pool: PgPool,
    clock: Clock,
  ) {
    super(clock);
    this.max = pool.options.max ?? 10; // the default of pg
  }

  protected async statement(limit: Ending, text: string, values: unknown[]): Promise<Rows> {
    const client = await this.#take(limit);
    let isReusable = false;
    try {
      const result = await limit.until(client.query(text, values));
      isReusable = true;
      return rowsOf(result);
    } catch (error) {
      isReusable ||= canGoOn(error);
      throw error;
    } finally {
      giveBack(client, isReusable);
    }
  }

  async transaction<T>(
    work: (client: Queryable, isNew: boolean) => Promise<T>,
    { key, waiting = new Ending(), running = new Ending() }: TransactionOptions = {},
  ): Promise<T> {
    const client = await this.#take(waiting);
    const { release } = client;
    // Another transaction would take the client, and be committed with this one.
    client.release = refuseRelease;
    let cancel = this.deadline(running, STATEMENT_MS);
    let isReusable = false;
    /** The transaction that inserted the key, unless the key is as it should be. */
    let suspect: string | undefined;
    let failure: { readonly error: unknown } | undefined;
    const run = async () => {
      let id: string | undefined;
      try {
        id = await this.#begin(client, key);
        cancel();
        suspect = id;
        const value = await work(client, id !== undefined);
        cancel = this.deadline(running, COMMIT_MS);
        suspect = undefined;
        // PostgreSQL ends at the first statement that fails.
        const results = await client.query(`release eventgrid_transaction;commit`);
        if (Object([results].flat()[1]).command !== "COMMIT") throw notCommitted();
        isReusable = true;
        return value;
      } catch (error) {
        cancel();
        if (running.hasPassed) throw error;
        const reason = notCommittedBecause(error);
        if (reason !== undefined) suspect = id;
        failure = { error: reason ?? error };
        cancel = this.deadline(running, STATEMENT_MS);
        const isOwn =
          !!id && (await succeeds(client.query("rollback to eventgrid_transaction;rollback")));
        isReusable = isOwn || (await succeeds(client.query("rollback")));
        if (sqlStateOf(error) === READ_ONLY) isReusable = false;
        if (isOwn) suspect = undefined;
        throw failure.error;
      }
    };
    try {
      return await running.until(run());
    } catch (error) {
      failure ??= { error };
    } finally {
      cancel();
      client.release = release;
      giveBack(client, isReusable);
    }
    const checking = afterCommitOfItsOwn(this, key, suspect, failure.error);
    // Nothing waits for a handler that is overdue.
    throw running.hasPassed ? failure.error : await checking;
  }

  /** Closes the idle connections, which may be dead as well. */
  protected override afterSilence(): void {
    for (let idle = Number(this.pool.idleCount); idle > 0; idle -= 1) {
      this.pool.connect().then((client) => giveBack(client, false), ignore);
    }
  }

  /**
   * Begins a transaction, inserts a key and sets the mark, in one round trip.
   *
   * @returns the ID of the transaction if the key is new; an empty string without a key
   */
  async #begin(client: Queryable, key: InboxKey | undefined): Promise<string | undefined> {
    // Without parameters, pg sends several statements at once and returns their results.
    if (key === undefined) {
      await client.query(`begin;${MARK}`);
      return "";
    }
    const results = await this.#beginWith(client, key);
    const { rows } = Object([results].flat()[1]);
    if (!Array.isArray(rows))
      throw new Error("the pool must return the results of several statements as that of pg does");
    if (rows.length === 0) await checkHandled(client, key);
    return rows[0]?.id;
  }

  async #beginWith(client: Queryable, key: InboxKey): Promise<unknown> {
    if (this.#keepsPrepared) {
      try {
        await prepareOn(client, key.table);
        return await client.query(`begin;${executeInsert(key)};${MARK}`);
      } catch (error) {
        if (sqlStateOf(error) !== NO_SUCH_STATEMENT) throw error;
        this.#keepsPrepared = false;
        await client.query("rollback");
      }
    }
    return client.query(`begin;${insertKey(key)};${MARK}`);
  }

  async #take(waiting: Ending): Promise<PgClient> {
    const connecting = this.pool.connect();
    try {
      const client = await waiting.until(connecting);
      // Without a listener, a connection that breaks between two statements would end the process.
      client.on("error", ignore);
      return client;
    } catch (error) {
      connecting.then((client) => giveBack(client, false), ignore);
      throw error;
    }
  }
}

/** The tables whose insert was prepared on a connection, by any of the inboxes that share it. */
const preparedTables = new WeakMap<Queryable, Set<string>>();

async function prepareOn(client: Queryable, table: string): Promise<void> {
  const tables = preparedTables.get(client) ?? new Set<string>();
  if (tables.has(table)) return;
  try {
    await client.query(prepareInsert(table));
  } catch (error) {
    // By another process that shares the connection of a pooler.
    if (sqlStateOf(error) !== STATEMENT_EXISTS) throw error;
  }
  preparedTables.set(client, tables.add(table));
}

/** Transactions of another library; those of PGlite, which has one connection. */
class LibraryDatabase extends LimitedStatements implements Database {
  readonly max: number;
  /** Calls of the library that were given up and have not ended: nothing can end them. */
  #givenUp = 0;

  constructor(
    private readonly source: PGliteDatabase | Transactions,
    clock: Clock,
  ) {
    super(clock);
    this.max = isPGlite(source) ? 1 : source.max;
  }

  protected async statement(limit: Ending, text: string, values: unknown[]): Promise<Rows> {
    let rows: Rows = [];
    await this.#call(limit, async (client) => {
      rows = rowsOf(await client.query(text, values));
    });
    return rows;
  }

  async transaction<T>(
    work: (client: Queryable, isNew: boolean) => Promise<T>,
    { key, waiting = new Ending(), running = new Ending() }: TransactionOptions = {},
  ): Promise<T> {
    let outcome: { readonly value: T } | { readonly error: unknown } | undefined;
    let id: string | undefined;
    const limit = new Ending();
    let cancel = waiting.onPass((error) => limit.pass(error));
    const within = (ms: number) => {
      cancel();
      cancel = this.deadline(limit, ms);
    };
    try {
      await this.#call(limit, async (client) => {
        try {
          within(STATEMENT_MS);
          const [row] = rowsOf(await client.query(key ? insertKey(key) : READ_ID, []));
          if (row !== undefined) id = String(row.id);
          else if (key !== undefined) await checkHandled(client, key);
          cancel();
          limit.throwIfPassed();
          const working = work(client, id !== undefined);
          // PGlite refuses statements after the rollback. Elsewhere, each would be committed by itself, so
          // the transaction waits for `work`.
          const value = await (isPGlite(this.source) ? running.until(working) : working);
          running.throwIfPassed();
          within(COMMIT_MS);
          if (id !== undefined) await client.query(checkId(id), []);
          outcome = { value };
        } catch (error) {
          within(STATEMENT_MS);
          outcome = { error: notCommittedBecause(error) ?? error };
          throw outcome.error ?? new Error("the function was rejected without an error");
        }
      });
    } catch (error) {
      // The commit has failed, or the library has not called its function.
      if (outcome === undefined || "value" in outcome) throw error;
    } finally {
      cancel();
    }
    // A library may resolve although its function was rejected.
    if (outcome === undefined) throw notCommitted();
    if ("error" in outcome) throw await afterCommitOfItsOwn(this, key, id, outcome.error);
    // A library that repeats a failed commit does not notice that it rolls back.
    if (id !== undefined && !isPGlite(this.source)) {
      const [row] = await this.query(`select pg_xact_status('${id}'::xid8) as status`);
      if (row?.status !== "committed") throw notCommitted();
    }
    return outcome.value;
  }

  async #call(limit: Ending, work: (client: Queryable) => Promise<void>): Promise<void> {
    limit.throwIfPassed();
    if (this.#givenUp >= this.max) {
      const message = `${this.#givenUp} calls of the pool's transaction() were given up and have not ended: set a timeout for statements in its library`;
      throw new PostgresError("ERR_POSTGRES_TIMEOUT", message);
    }
    const call = this.source.transaction(async (client) => {
      limit.throwIfPassed();
      await work(client);
      limit.throwIfPassed();
    });
    try {
      await limit.until(call);
    } catch (error) {
      if (limit.hasPassed) {
        this.#givenUp += 1;
        const ended = () => {
          this.#givenUp -= 1;
        };
        call.then(ended, ended);
      }
      throw error;
    }
  }
}

/** Gives a connection back, or closes it without waiting for the server, which may be silent. */
function giveBack(client: PgClient, isReusable: boolean): void {
  if (isReusable) client.removeListener("error", ignore);
  client.release(!isReusable);
  if (isReusable) return;
  const { connection } = client as { readonly connection?: { stream: { destroy(): void } } };
  connection?.stream.destroy(); // libpq, which has none, closes it at once
}

function refuseRelease(): never {
  const message = "the function must not release the client: leave that to the outbox or inbox";
  throw new PostgresError("ERR_POSTGRES_TRANSACTION", message);
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

function ignore(): void {}

/** Makes PostgreSQL give the transaction an ID, which no other one has. */
const READ_ID = "select pg_current_xact_id()::text as id";

/** Fails with a division by zero in any other transaction, and outside of one. */
function checkId(id: string): string {
  return `select 1 / (pg_current_xact_id_if_assigned() is not distinct from '${id}'::xid8)::int as same`;
}

/** @throws {PostgresError} `ERR_INBOX_BUSY` when a key that cannot be inserted was not committed */
async function checkHandled(client: Queryable, key: InboxKey): Promise<void> {
  const rows = rowsOf(await client.query(findKey(key), []));
  if (rows.length > 0) return;
  throw new PostgresError("ERR_INBOX_BUSY", "another transaction is handling the event");
}

/**
 * Deletes the key of a failed transaction if its function committed it, so that the event is delivered
 * again.
 *
 * @returns the error that says so, or the one that is given
 */
async function afterCommitOfItsOwn(
  database: Database,
  key: InboxKey | undefined,
  id: string | undefined,
  error: unknown,
): Promise<unknown> {
  if (key === undefined || id === undefined) return error;
  const deleted = await database.query(deleteKeyOf(key, id)).catch(() => []);
  if (deleted.length === 0) return error;
  const message =
    "the handler committed the transaction itself: what it did before stays, and the event will be delivered again; leave the commit to the inbox";
  return new PostgresError("ERR_POSTGRES_TRANSACTION", message, { cause: error });
}

function notCommitted(): PostgresError {
  const message = "the transaction was rolled back, although its commit did not fail";
  return new PostgresError("ERR_POSTGRES_TRANSACTION", message);
}
