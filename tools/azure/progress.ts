import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A run, as its file begins. */
export interface Run {
  readonly subscription: string;
  readonly region: string;
  /** The prefix of its names. */
  readonly group: string;
  /** ISO 8601 date. */
  readonly date: string;
}

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

/** What came of a stack. */
export interface StackResult {
  readonly stack: string;
  readonly status: "same" | "failed" | "not run";
  readonly reason?: string;
}

interface Entry {
  readonly run?: Run;
  readonly row?: RowResult;
  readonly stack?: StackResult;
}

/** The results so far, in a file to which each is appended, so that a killed run can continue. */
export class Progress {
  readonly #results = new Map<string, Entry>();

  private constructor(
    private readonly file: string,
    readonly run: Run,
  ) {}

  /** Starts a new file. */
  static start(directory: string, run: Run): Progress {
    mkdirSync(directory, { recursive: true });
    const file = fileIn(directory);
    rmSync(file, { force: true });
    const progress = new Progress(file, run);
    progress.add({ run });
    return progress;
  }

  /** Reads the file of an earlier run; `undefined` if there is none. */
  static continue(directory: string): Progress | undefined {
    const file = fileIn(directory);
    if (!existsSync(file)) return undefined;
    // The last line of a killed run may be incomplete.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    const entries = lines.map((line): Entry => JSON.parse(line));
    const run = entries[0]?.run;
    if (run === undefined) return undefined;
    const progress = new Progress(file, run);
    for (const entry of entries) progress.#remember(entry);
    return progress;
  }

  get rows(): readonly RowResult[] {
    return [...this.#results.values()].flatMap(({ row }) => row ?? []);
  }

  get stacks(): readonly StackResult[] {
    return [...this.#results.values()].flatMap(({ stack }) => stack ?? []);
  }

  /** Whether a row, by area and input, or a stack has a result that `--continue` keeps. */
  isDone(key: string): boolean {
    const { row, stack } = this.#results.get(key) ?? {};
    return /^(same|different)$/.test((row ?? stack)?.status ?? "");
  }

  add(entry: Entry): void {
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
    this.#remember(entry);
  }

  #remember(entry: Entry): void {
    const { row, stack } = entry;
    this.#results.set(row ? keyOf(row) : (stack?.stack ?? ""), entry);
  }
}

const fileIn = (directory: string) => join(directory, "progress.jsonl");

/** Names a row in a run. */
export const keyOf = ({ area, input }: Pick<RowResult, "area" | "input">) => `${area}: ${input}`;
