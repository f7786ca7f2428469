import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
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

/** The results so far, in a file to which each is appended, so that a killed run can continue. */
export class Progress {
  readonly #results = new Map<string, Result>();

  private constructor(
    private readonly file: string,
    readonly run: Run,
  ) {}

  /** Writes a new file. */
  static start(directory: string, run: Run, results: readonly Result[] = []): Progress {
    mkdirSync(directory, { recursive: true });
    const file = fileIn(directory);
    writeFileSync(file, `${JSON.stringify(run)}\n`);
    const progress = new Progress(file, run);
    for (const result of results) progress.add(result);
    return progress;
  }

  /** Reads the file of an earlier run; `undefined` if there is none. */
  static continue(directory: string): Progress | undefined {
    const file = fileIn(directory);
    if (!existsSync(file)) return undefined;
    // The last line of a killed run may be incomplete.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    const [run, ...results] = lines.map((line) => JSON.parse(line));
    return run && Progress.start(directory, run, results);
  }

  get results(): readonly Result[] {
    return [...this.#results.values()];
  }

  /** Whether it has a result that `--continue` keeps. */
  isDone(key: string): boolean {
    return /^(same|different)$/.test(this.#results.get(key)?.status ?? "");
  }

  add(result: Result): void {
    appendFileSync(this.file, `${JSON.stringify(result)}\n`);
    this.#results.set(keyOf(result), result);
  }
}

const fileIn = (directory: string) => join(directory, "progress.jsonl");

/** Names a row or a stack in a run. */
export const keyOf = ({ area, input }: Pick<Result, "area" | "input">) => `${area}: ${input}`;
