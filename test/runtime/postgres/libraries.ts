import type {
  ConnectionSource,
  Queryable,
  Transactions,
} from "cloud-eventgrid-binding-runtime/postgres";
import { drizzle } from "drizzle-orm/node-postgres";
import { pgTable, text } from "drizzle-orm/pg-core";
import knex from "knex";
import { Pool, type PoolClient } from "pg";
import postgres from "postgres";

/** How a service works in a transaction. */
export interface Work {
  insert(id: string): PromiseLike<unknown>;
  execute(statement: string): PromiseLike<unknown>;
  /** Inserts in a transaction of the library inside the one of the client. */
  nest?(id: string): PromiseLike<unknown>;
}

/** A library, used as docs/exactly-once.md says. */
export interface Library {
  readonly source: ConnectionSource;
  /** How a handler works with its client. */
  work(client: unknown): Work;
  close(): Promise<unknown>;
}

const MAX = 5;
const orders = pgTable("orders", { id: text() });

function poolOf(url: string): Pool {
  const pool = new Pool({ connectionString: url, max: MAX });
  pool.on("error", () => {});
  return pool;
}

/** The libraries that services may use; others, but for Prisma, are in installed-libraries.full.test.ts. */
export const libraries: Readonly<Record<string, (url: string) => Library>> = {
  pg(url) {
    const pool = poolOf(url);
    const work = (client: unknown): Work => ({
      insert: (id) => (client as PoolClient).query("insert into orders values ($1)", [id]),
      execute: (statement) => (client as PoolClient).query(statement),
    });
    return { source: pool, work, close: () => pool.end() };
  },
  "Drizzle, with the client of a pool of pg"(url) {
    const pool = poolOf(url);
    const work = (client: unknown): Work => {
      const tx = drizzle(client as PoolClient);
      return {
        insert: (id) => tx.insert(orders).values({ id }),
        execute: (statement) => tx.execute(statement),
        nest: (id) => tx.transaction((inner) => inner.insert(orders).values({ id })),
      };
    };
    return { source: pool, work, close: () => pool.end() };
  },
  "Knex, with the client of a pool of pg"(url) {
    const pool = poolOf(url);
    const db = knex({ client: "pg" });
    const work = (client: unknown): Work => ({
      insert: (id) => db("orders").insert({ id }).connection(client),
      execute: (statement) => db.raw(statement).connection(client),
      nest: (id) => db.transaction((trx) => trx("orders").insert({ id }), { connection: client }),
    });
    return { source: pool, work, close: () => pool.end() };
  },
  "Knex, with transactions of its own"(url) {
    const log = { warn() {}, error() {}, debug() {}, deprecate() {} };
    const db = knex({ client: "pg", connection: url, pool: { min: 0, max: MAX }, log });
    type Client = Queryable & { readonly trx: knex.Knex.Transaction };
    const ofKnex = (trx: knex.Knex.Transaction): Client => ({
      query: (text, values = []) =>
        trx.raw(text.replace(/\$\d+/g, "?"), values as knex.Knex.RawBinding[]),
      trx,
    });
    const source: Transactions<Client> = {
      max: MAX,
      transaction: (work) => db.transaction((trx) => work(ofKnex(trx))),
    };
    const work = (client: unknown): Work => ({
      insert: (id) => (client as Client).trx("orders").insert({ id }),
      execute: (statement) => (client as Client).trx.raw(statement),
      nest: (id) => (client as Client).trx.transaction((trx) => trx("orders").insert({ id })),
    });
    return { source: source as Transactions, work, close: () => db.destroy() };
  },
};

/** A library that services must not use: it goes on outside of a transaction whose connection was lost. */
export function postgresJs(url: string): Library {
  const db = postgres(url, { max: MAX, onnotice: () => {} });
  const source: Transactions = {
    max: MAX,
    transaction: async <T>(work: (client: Queryable) => Promise<T>) => {
      const result = await db.begin(async (tx) => ({
        value: await work({
          query: async (text, values = []) => ({
            rows: await tx.unsafe(text, values as postgres.ParameterOrJSON<never>[]),
          }),
        }),
      }));
      return result.value as T;
    },
  };
  const work = (client: unknown): Work => ({
    insert: (id) => (client as Queryable).query("insert into orders values ($1)", [id]),
    execute: (statement) => (client as Queryable).query(statement),
  });
  return { source, work, close: () => db.end({ timeout: 1 }) };
}
