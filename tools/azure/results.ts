import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { areas } from "../../test/local/parity/areas/index.js";
import { type RecordedRun, textOf } from "../../test/local/parity/recorded-run.js";

/** A run, as its file begins. */
export interface Run {
  readonly subscription: string;
  readonly region: string;
  /** The prefix of its names, and the name of its resource group. */
  readonly group: string;
  /** ISO 8601 date. */
  readonly date: string;
}

/** What came of one row or stack. */
export interface Result {
  /** The title of the row's area, or `Stacks`. */
  readonly area: string;
  readonly input: string;
  /** `failed`: there is no answer, for example because of the network. */
  readonly status: "same" | "different" | "not run" | "failed";
  /** The answer as the row returns it, without secrets and IDs. */
  readonly answer?: unknown;
  /** Why it was not run, or failed. */
  readonly reason?: string;
}

/** Names a row or a stack in a run. */
export const keyOf = ({ area, input }: Pick<Result, "area" | "input">) => `${area}: ${input}`;
const FILE = "progress.jsonl";

/** The results so far, in a file to which each is appended, so that a killed run can continue. */
export class Progress {
  readonly results: Result[] = [];
  readonly #file: string;

  /** Begins a new file. */
  constructor(
    directory: string,
    readonly run: Run,
  ) {
    this.#file = join(directory, FILE);
    mkdirSync(directory, { recursive: true });
    writeFileSync(this.#file, `${JSON.stringify(run)}\n`);
  }

  /** Keeps the answers of an earlier run; `undefined` if there is none. */
  static continue(directory: string): Progress | undefined {
    const file = join(directory, FILE);
    if (!existsSync(file)) return undefined;
    // The last line of a killed run may be incomplete.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    const [run, ...results] = lines.map((line) => JSON.parse(line));
    const progress = run && new Progress(directory, run);
    for (const each of results) if (/^(same|different)$/.test(each.status)) progress.add(each);
    return progress;
  }

  has(result: Pick<Result, "area" | "input">): boolean {
    return this.results.some((each) => keyOf(each) === keyOf(result));
  }

  add(result: Result): void {
    appendFileSync(this.#file, `${JSON.stringify(result)}\n`);
    this.results.push(result);
  }
}

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
  const count = (status: Result["status"]) => rows.filter((each) => each.status === status).length;
  return `${count("same")} same, ${count("different")} different, ${count("not run")} not run, ${count("failed")} failed`;
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
    return `| ${keyOf(each)} | ${row?.documented} | ${cell(each.answer)} | ${cell(row?.result)} | ${row?.differs ?? ""} |`;
  });
  return `| Case | Documented | Azure | Local Azure | Known difference |
|---|---|---|---|---|
${lines.join("\n")}`;
}
