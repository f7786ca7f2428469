import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { CloudEvent, EventContext } from "cloud-eventgrid-binding-runtime";
import { tablesSql } from "cloud-eventgrid-binding-runtime/postgres";
import { beforeAll } from "vitest";
import { silentLog } from "../../../runtime/src/observability.js";
import { root } from "../../support/project.js";

/** Starting a PGlite takes seconds, so the files of a worker share one, which ends with the worker. */
let shared: Promise<PGlite> | undefined;
let schemas = 0;

/** Starts a PGlite. The first one keeps its new data for other workers and the next run. */
async function startPglite(): Promise<PGlite> {
  const description = join(root, "node_modules/@electric-sql/pglite/package.json");
  const { version } = JSON.parse(readFileSync(description, "utf8"));
  const kept = join(root, `.cache/pglite-${version}.tar`);
  if (existsSync(kept)) return PGlite.create({ loadDataDir: new Blob([readFileSync(kept)]) });
  const pglite = await PGlite.create();
  const data = await pglite.dumpDataDir("none");
  mkdirSync(dirname(kept), { recursive: true });
  const complete = `${kept}-${process.pid}`;
  writeFileSync(complete, Buffer.from(await data.arrayBuffer()));
  renameSync(complete, kept);
  return pglite;
}

/** A database of PGlite in memory. */
export class TestDatabase {
  #pglite: PGlite | undefined;

  constructor() {
    beforeAll(async () => {
      shared ??= startPglite();
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
