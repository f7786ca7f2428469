import type { Reference } from "./reference.js";

/** A quantity that is measured for every contender. */
export interface Column {
  readonly key: string;
  /** Heading, with its unit: `events/s`. */
  readonly title: string;
  readonly better: "more" | "less";
}

/** One measurement: the value of each column. */
export type Sample = Readonly<Record<string, number>>;

/** The required ratio. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** An implementation of the job. */
export interface Contender {
  readonly name: string;
  /** Whether it is this project's. The others are compared with it. */
  readonly ours?: boolean;
  /** The required ratio of ours to this one in the first column. */
  readonly target?: Target;
  /** Starts a fresh process, which is measured until `stop`. Without it, one process has all rounds. */
  start?(): Promise<void>;
  stop?(): Promise<void>;
  /** Called once between warm-up and measurement, for example to collect garbage. */
  rest?(): Promise<void>;
  /**
   * Does the job for a while and measures it.
   *
   * @returns a sample for the scenario, and one for each of its `others` that the contender can do
   */
  measure(): Promise<Sample | readonly Sample[]>;
}

/** Another job of the same contenders, done in turn with the first, in the same processes. */
export interface OtherJob {
  readonly name: string;
  readonly columns: readonly [Column, ...Column[]];
  /** The required ratio of ours to the contender with this name. */
  readonly targets: Readonly<Record<string, Target>>;
}

/** A job that several contenders do. */
export interface Scenario {
  readonly name: string;
  /** Contenders are compared by the first column. */
  readonly columns: readonly [Column, ...Column[]];
  readonly contenders: readonly Contender[];
  readonly others?: readonly OtherJob[];
  /** Number of rounds, if the job needs another number than the default. */
  readonly rounds?: number;
  /** A remark for the reader. */
  readonly note?: string;
}

/** How long and how often to measure. */
export interface Settings {
  /** Only checks that everything works; the numbers are meaningless. */
  readonly smoke: boolean;
  readonly rounds: number;
  /** How many processes of each contender are measured. */
  readonly processes: number;
  /** Length of one measurement. */
  readonly milliseconds: number;
  /** Another commit to compare with. */
  readonly against?: Reference | undefined;
}

/**
 * Scenarios of one topic. The generator continues when a scenario has been measured, so it can
 * clean up after each `yield`.
 */
export interface Group {
  readonly name: string;
  readonly title: string;
  scenarios(settings: Settings): AsyncGenerator<Scenario>;
}
