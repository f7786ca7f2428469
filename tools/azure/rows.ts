import { setTimeout as sleep } from "node:timers/promises";
import { areas } from "../../test/local/parity/areas/index.js";
import { textOf } from "../../test/local/parity/recorded-run.js";
import type { Row } from "../../test/local/parity/row.js";
import { keyOf, type Progress, type Result } from "./progress.js";
import { ALONE, RowStage } from "./row-stage.js";
import type { Shared } from "./shared.js";
import { failureOf, redacted } from "./translation.js";

/** Rows that run at the same time. Most wait half a minute for their event subscription. */
const ROWS_AT_ONCE = 24;
/** Some rows wait for a request that may never come. */
const ROW_MINUTES = 3;
/** Rows start until this time after the first. */
const MINUTES = 14;

/**
 * Runs the rows that have no result yet. Those that need the webhook for themselves run one after
 * another at the end.
 *
 * @param others what else gets requests at the webhook; those rows wait for its end
 */
export async function runRows(
  shared: Shared,
  progress: Progress,
  others: Promise<void>,
): Promise<void> {
  const deadline = Date.now() + MINUTES * 60_000;
  const left = areas
    .flatMap(({ title, rows }) => rows.map((row) => ({ area: title, input: row.input, row })))
    .filter((each) => !progress.isDone(keyOf(each)));
  const alone: typeof left = [];
  let done = 0;
  const next = async (queue: typeof left, isAlone: boolean): Promise<void> => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const { area, input, row } = each;
      shared.connection.surroundings.interrupted.throwIfAborted();
      const result =
        Date.now() < deadline
          ? await resultOf(row, shared, isAlone)
          : { status: "not run" as const, reason: "more time: run again with --continue" };
      if (result.reason === ALONE && !isAlone) {
        alone.push(each);
        continue;
      }
      progress.add({ area, input, ...result });
      if (/different|failed/.test(result.status)) console.log(`${result.status}: ${keyOf(each)}`);
      if (++done % 50 === 0) console.log(`${done} rows`);
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, () => next(left, false)));
  await others;
  await next(alone, true);
}

async function resultOf(
  row: Row,
  shared: Shared,
  isAlone: boolean,
): Promise<Omit<Result, "area" | "input">> {
  const stage = new RowStage(shared, isAlone);
  const { translation, connection } = shared;
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
