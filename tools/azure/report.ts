import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { areas } from "../../test/local/parity/areas/index.js";
import { type RecordedRun, textOf } from "../../test/local/parity/recorded-run.js";
import type { Row } from "../../test/local/parity/row.js";
import { keyOf, type Progress, type RowResult } from "./progress.js";

/** Writes `report.md` and `recorded-run.json`. Returns a summary. */
export function writeReport(directory: string, progress: Progress): string {
  const recordedRun = `${JSON.stringify(recorded(progress), null, 2)}\n`;
  writeFileSync(join(directory, "report.md"), markdown(progress));
  writeFileSync(join(directory, "recorded-run.json"), recordedRun);
  return summaryOf(progress);
}

function summaryOf({ rows }: Progress): string {
  const statuses = ["same", "different", "not run", "failed"];
  return statuses
    .map((status) => `${rows.filter((each) => each.status === status).length} ${status}`)
    .join(", ");
}

/** The answers, in the form in which test/local/parity reads them. */
function recorded({ run, rows }: Progress): RecordedRun {
  const answers: Record<string, Record<string, unknown>> = {};
  for (const { area, input, status, answer } of rows) {
    if (status !== "same" && status !== "different") continue;
    answers[area] = { ...answers[area], [input]: answer };
  }
  return { date: run.date, region: run.region, answers };
}

interface Finding {
  readonly row: Row;
  readonly result: RowResult;
}

function markdown(progress: Progress): string {
  const { run, stacks } = progress;
  const results = new Map(progress.rows.map((each) => [keyOf(each), each]));
  const all = areas.flatMap(({ title: area, rows }) =>
    rows.flatMap((row): Finding | [] => {
      const result = results.get(keyOf({ area, input: row.input }));
      return result ? { row, result } : [];
    }),
  );
  const of = (status: RowResult["status"]) => all.filter(({ result }) => result.status === status);
  const isKnown = ({ row }: Finding) => row.differs !== undefined;
  const open = of("same").filter(({ row }) => row.unknown !== undefined);
  const reasons = of("not run").map(({ result }) => result.reason ?? "");
  return `# Rows of parity in a subscription

${run.date}, ${run.region}: ${summaryOf(progress)}. Secrets and IDs are replaced.

## Different from the local Azure

${tableOf(of("different").filter((each) => !isKnown(each)))}

## Different, as the page says

${tableOf(of("different").filter(isKnown))}

## Same where the documentation is open

${listOf(open.map(({ result }) => keyOf(result)))}

## Stacks

${listOf(stacks.map(({ stack, status, reason }) => `${stack}: ${status}${reason ? `: ${reason}` : ""}`))}

## Failed

${listOf(of("failed").map(({ result }) => `${keyOf(result)}: ${result.reason}`))}

## Not run

${listOf([...new Set(reasons)].map((reason) => `${reasons.filter((each) => each === reason).length} need ${reason}`))}
`;
}

const listOf = (items: readonly string[]) =>
  items.length === 0 ? "None." : items.map((item) => `- ${item}`).join("\n");

function tableOf(rows: readonly Finding[]): string {
  if (rows.length === 0) return "None.";
  const cell = (value: unknown) => `\`${textOf(value).replaceAll("|", "\\|")}\``;
  const lines = rows.map(
    ({ row, result }) =>
      `| ${keyOf(result)} | ${row.documented} | ${cell(result.answer)} | ${cell(row.result)} |`,
  );
  return ["| Case | Documented | Azure | Local Azure |", "|---|---|---|---|", ...lines].join("\n");
}
