import { PGlite } from "@electric-sql/pglite";
import type { CloudEvent, EventContext } from "cloud-eventgrid-binding-runtime";
import { tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { afterAll, beforeAll } from "vitest";
import { silentLog } from "../../../runtime/src/observability.js";

/** A database of PGlite in memory for the tests of a file; starting one takes seconds. */
export class TestDatabase {
  #pglite: PGlite | undefined;
  #schemas = 0;

  constructor() {
    beforeAll(async () => {
      this.#pglite = await PGlite.create();
    });
    afterAll(() => this.#pglite?.close());
  }

  get pool(): PGlite {
    if (this.#pglite === undefined) throw new Error("the database has not started");
    return this.#pglite;
  }

  /** Creates the tables in a schema of their own, with a table `orders`. */
  async schema(): Promise<string> {
    this.#schemas += 1;
    const schema = `test_${this.#schemas}`;
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
