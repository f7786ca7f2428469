import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { areas } from "../../test/local/parity/areas/index.js";
import { type RecordedRun, textOf } from "../../test/local/parity/recorded-run.js";
import { keyOf, type Progress, type Result } from "./progress.js";

/** Writes `report.md` and `recorded-run.json`. Returns a summary. */
export function writeReport(directory: string, progress: Progress): string {
  const recordedRun = `${JSON.stringify(recorded(progress), null, 2)}\n`;
  writeFileSync(join(directory, "report.md"), markdown(progress));
  writeFileSync(join(directory, "recorded-run.json"), recordedRun);
  return summaryOf(progress);
}

const isStack = ({ area }: Result) => area === "Stacks";

function summaryOf({ results }: Progress): string {
  const rows = results.filter((each) => !isStack(each));
  const statuses = ["same", "different", "not run", "failed"];
  return statuses
    .map((status) => `${rows.filter((each) => each.status === status).length} ${status}`)
    .join(", ");
}

/** The answers, in the form in which test/local/parity reads them. */
function recorded({ run, results }: Progress): RecordedRun {
  const answers: Record<string, Record<string, unknown>> = {};
  for (const { area, input, answer } of results) {
    if (answer !== undefined) answers[area] = { ...answers[area], [input]: answer };
  }
  return { date: run.date, region: run.region, answers };
}

function markdown(progress: Progress): string {
  const { run, results } = progress;
  const of = (status: Result["status"]) => results.filter((each) => each.status === status);
  const reasons = of("not run").map(({ reason }) => reason);
  const needs = [...new Set(reasons)].map(
    (need) => `${reasons.filter((reason) => reason === need).length} need ${need}`,
  );
  return `# Check against a subscription

${run.date}, ${run.region}. Rows of Parity with Azure: ${summaryOf(progress)}. Secrets and IDs are replaced.

## Different from the local Azure

${tableOf(of("different"))}

## Failed

${listOf(of("failed").map((each) => `${keyOf(each)}: ${each.reason}`))}

## Not run

${listOf(needs)}

## Stacks

${listOf(results.filter(isStack).map(({ input, status }) => `${input}: ${status}`))}
`;
}

const listOf = (items: readonly string[]) =>
  items.length === 0 ? "None." : items.map((item) => `- ${item.replace(/\s+/g, " ")}`).join("\n");

function tableOf(results: readonly Result[]): string {
  if (results.length === 0) return "None.";
  const cell = (value: unknown) => `\`${textOf(value).replaceAll("|", "\\|")}\``;
  const lines = results.map((each) => {
    const area = areas.find(({ title }) => title === each.area);
    const row = area?.rows.find(({ input }) => input === each.input);
    const known = row?.differs ?? "";
    return `| ${keyOf(each)} | ${row?.documented} | ${cell(each.answer)} | ${cell(row?.result)} | ${known} |`;
  });
  return [
    "| Case | Documented | Azure | Local Azure | Known difference |",
    "|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}
