import { areas } from "../../test/local/parity/areas/index.js";
import { textOf } from "../../test/local/parity/recorded-run.js";
import type { Row } from "../../test/local/parity/row.js";
import { ALONE, type RowPlace, RowStage } from "./row-stage.js";
import { MissingError, redacted } from "./translation.js";

/** Rows that run at the same time. */
const ROWS_AT_ONCE = 16;
/** Some rows wait for a request that may never come. */
const ROW_MINUTES = 3;

/** What came of one row. */
export interface RowResult {
  readonly area: string;
  readonly input: string;
  /** `failed`: there is no answer, for example because of the network. */
  readonly status: "same" | "different" | "not run" | "failed";
  /** The answer as the row returns it, without secrets and IDs. */
  readonly answer?: unknown;
  /** Why it was not run, or failed. */
  readonly reason?: string;
}

/**
 * Runs the rows that have no result yet. Those that need the webhook for themselves run one after
 * another at the end.
 *
 * @param mayStart whether there is time for another row
 */
export async function runRows(
  place: Omit<RowPlace, "isAlone">,
  isDone: (area: string, input: string) => boolean,
  mayStart: () => boolean,
  report: (result: RowResult) => void,
): Promise<void> {
  const left = areas.flatMap(({ title, rows }) =>
    rows.filter(({ input }) => !isDone(title, input)).map((row) => ({ area: title, row })),
  );
  const alone: typeof left = [];
  const next = async (queue: typeof left, isAlone: boolean): Promise<void> => {
    for (let each = queue.shift(); each !== undefined; each = queue.shift()) {
      const { area, row } = each;
      const { input } = row;
      place.shared.connection.surroundings.interrupted.throwIfAborted();
      const result = mayStart()
        ? await resultOf(row, { ...place, isAlone })
        : { status: "not run" as const, reason: "more time: run again with --continue" };
      if (result.reason === ALONE && !isAlone) alone.push(each);
      else report({ area, input, ...result });
    }
  };
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, () => next(left, false)));
  await next(alone, true);
}

async function resultOf(row: Row, place: RowPlace): Promise<Omit<RowResult, "area" | "input">> {
  const stage = new RowStage(place);
  try {
    const expected = textOf(row.result);
    const text = place.shared.translation.back(textOf(await within(ROW_MINUTES, row.run(stage))));
    const answer: unknown = JSON.parse(redacted(text, expected));
    return { status: text === expected ? "same" : "different", answer };
  } catch (error) {
    place.shared.connection.surroundings.interrupted.throwIfAborted();
    if (error instanceof MissingError) return { status: "not run", reason: error.need };
    const text = error instanceof Error ? error.message : String(error);
    const reason = redacted(place.shared.translation.back(text), "");
    return { status: "failed", reason };
  } finally {
    await stage[Symbol.asyncDispose]().catch(() => {});
  }
}

async function within<T>(minutes: number, result: Promise<T>): Promise<T> {
  let reject = (_: Error) => {};
  const late = new Promise<never>((_, fail) => {
    reject = fail;
  });
  const text = `no result in ${minutes} minutes`;
  const timer = setTimeout(() => reject(new Error(text)), minutes * 60_000);
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}
