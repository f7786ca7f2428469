import { PGlite } from "@electric-sql/pglite";
import type { CloudEvent, EventContext } from "cloud-eventgrid-binding-runtime";
import { tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { beforeAll } from "vitest";
import { silentLog } from "../../../runtime/src/observability.js";

/** Starting a PGlite takes seconds, so the files of a worker share one, which ends with the worker. */
let shared: Promise<PGlite> | undefined;
let schemas = 0;

/** A database of PGlite in memory. */
export class TestDatabase {
  #pglite: PGlite | undefined;

  constructor() {
    beforeAll(async () => {
      shared ??= PGlite.create();
      this.#pglite = await shared;
    });
  }

  get pool(): PGlite {
    if (this.#pglite === undefined) throw new Error("the database has not started");
    return this.#pglite;
  }

  /** Creates the tables in a schema of their own, with a table `orders`. */
  async schema(): Promise<string> {
    schemas += 1;
    const schema = `test_${schemas}`;
    await this.pool.exec(`create schema ${schema}; create table ${schema}.orders (id text)`);
    await this.pool.exec(tablesSql({ schema }));
    return schema;
  }

  async rows(text: string): Promise<Record<string, unknown>[]> {
    return (await this.pool.query<Record<string, unknown>>(text)).rows;
  }
}

/** An event and its context, as a listener passes them to handlers. */
export function delivered(
  id: string,
  options: { readonly source?: string; readonly signal?: AbortSignal } = {},
): [CloudEvent, EventContext] {
  const { source = "/shop", signal = new AbortController().signal } = options;
  const event = { specversion: "1.0", id, source, type: "shop.order.placed", data: {} } as const;
  const context = {
    signal,
    attempt: 1,
    subscriptionName: undefined,
    deduplicationKey: id,
    batchIndex: 0,
    batchSize: 1,
    json: undefined,
    log: silentLog,
    caller: undefined,
  };
  return [event, context];
}
