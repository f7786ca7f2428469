import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RowResult } from "./rows.js";

/** A run, as its file begins. */
export interface Run {
  readonly subscription: string;
  readonly region: string;
  /** The prefix of its names. */
  readonly group: string;
  /** ISO 8601 date. */
  readonly date: string;
}

/** What came of a stack. */
export interface StackResult {
  readonly stack: string;
  readonly status: "same" | "failed" | "not run";
  readonly reason?: string;
}

/** The results so far, in a file to which each is appended, so that a killed run can continue. */
export class Progress {
  readonly #rows = new Map<string, RowResult>();
  readonly #stacks = new Map<string, StackResult>();
  #starts = 0;

  private constructor(
    private readonly file: string,
    readonly run: Run,
  ) {}

  /** Starts a new file. */
  static start(directory: string, run: Run): Progress {
    mkdirSync(directory, { recursive: true });
    const file = fileIn(directory);
    rmSync(file, { force: true });
    return new Progress(file, run).#started();
  }

  /** Reads the file of an earlier run; `undefined` if there is none. */
  static continue(directory: string): Progress | undefined {
    const file = fileIn(directory);
    if (!existsSync(file)) return undefined;
    // The last line of a killed run may be incomplete.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    const entries = lines.map((line): Entry => JSON.parse(line));
    const run = entries.find(({ run }) => run !== undefined)?.run;
    if (run === undefined) return undefined;
    const progress = new Progress(file, run);
    for (const entry of entries) progress.#remember(entry);
    return progress.#started();
  }

  /** How often the run was started. */
  get starts(): number {
    return this.#starts;
  }

  get rows(): readonly RowResult[] {
    return [...this.#rows.values()];
  }

  get stacks(): readonly StackResult[] {
    return [...this.#stacks.values()];
  }

  isDone = (area: string, input: string): boolean => {
    const status = this.#rows.get(keyOf({ area, input }))?.status;
    return status === "same" || status === "different";
  };

  isDeployed(stack: string): boolean {
    return this.#stacks.get(stack)?.status === "same";
  }

  addRow = (row: RowResult): void => this.#add({ row });

  addStack = (stack: StackResult): void => this.#add({ stack });

  #started(): Progress {
    this.#add({ run: this.run });
    return this;
  }

  #add(entry: Entry): void {
    appendFileSync(this.file, `${JSON.stringify(entry)}\n`);
    this.#remember(entry);
  }

  #remember({ run, row, stack }: Entry): void {
    if (run) this.#starts++;
    if (row) this.#rows.set(keyOf(row), row);
    if (stack) this.#stacks.set(stack.stack, stack);
  }
}

interface Entry {
  readonly run?: Run;
  readonly row?: RowResult;
  readonly stack?: StackResult;
}

const fileIn = (directory: string) => join(directory, "progress.jsonl");
const keyOf = ({ area, input }: Pick<RowResult, "area" | "input">) => `${area}\n${input}`;
