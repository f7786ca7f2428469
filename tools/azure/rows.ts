import { setTimeout as sleep } from "node:timers/promises";
import { areas } from "../../test/local/parity/areas/index.js";
import { textOf } from "../../test/local/parity/recorded-run.js";
import type { Row } from "../../test/local/parity/row.js";
import { keyOf, type Progress, type Result } from "./results.js";
import { RowStage } from "./row-stage.js";
import type { Shared } from "./shared.js";
import { failureOf, redacted } from "./translation.js";

/** Rows that run at the same time. Most wait half a minute for their event subscription. */
const ROWS_AT_ONCE = 36;
/** Some rows wait for a request that may never come. A namespace takes minutes. */
const ROW_MINUTES = 5;

/** Runs the rows that have no result yet. No row starts after the deadline. */
export async function runRows(shared: Shared, progress: Progress, deadline: number): Promise<void> {
  const left = areas
    .flatMap(({ title, rows }) => rows.map((row) => ({ area: title, input: row.input, row })))
    .filter((each) => !progress.has(each));
  let done = 0;
  const next = async (): Promise<void> => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) {
      shared.connection.surroundings.interrupted.throwIfAborted();
      const { row, ...key } = each;
      const result =
        Date.now() < deadline
          ? await resultOf(row, shared)
          : { status: "not run" as const, reason: "more time: run again with --continue" };
      progress.add({ ...key, ...result });
      if (/different|failed/.test(result.status)) console.log(`${result.status}: ${keyOf(key)}`);
      if (++done % 50 === 0) console.log(`${done} rows`);
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, next));
}

async function resultOf(row: Row, shared: Shared): Promise<Omit<Result, "area" | "input">> {
  const { connection, translation } = shared;
  const stage = new RowStage(shared);
  const late = sleep(ROW_MINUTES * 60_000, undefined, { ref: false }).then(() => {
    throw new Error(`no result in ${ROW_MINUTES} minutes`);
  });
  try {
    const expected = textOf(row.result);
    const text = translation.back(textOf(await Promise.race([row.run(stage), late])));
    const answer: unknown = JSON.parse(redacted(text, expected));
    return { status: text === expected ? "same" : "different", answer };
  } catch (error) {
    connection.surroundings.interrupted.throwIfAborted();
    return failureOf(error, translation);
  } finally {
    await stage[Symbol.asyncDispose]().catch(() => {});
  }
}
