/** One thing that is measured of every contender. */
export interface Column {
  readonly key: string;
  /** Heading, with its unit: `events/s`. */
  readonly title: string;
  readonly better: "more" | "less";
}

/** One measurement: a number for each column that was measured. */
export type Sample = Readonly<Record<string, number>>;

/** What a ratio has to be. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** Somebody who does the job. */
export interface Contender {
  readonly name: string;
  /** Whether it is ours: the others are compared with it. */
  readonly ours?: boolean;
  /** What ours divided by this one has to be in the first column. */
  readonly target?: Target;
  /** Called once between warming up and measuring: what a process does while nothing is to do. */
  rest?(): Promise<void>;
  /** Does the job for a while, and measures it. */
  measure(): Promise<Sample>;
}

/** One job that several contenders do. */
export interface Scenario {
  readonly name: string;
  /** The first one is what contenders are compared by. */
  readonly columns: readonly [Column, ...Column[]];
  readonly contenders: readonly Contender[];
  /** Rounds, where the job needs others than usual. */
  readonly rounds?: number;
  /** What a reader must know of it. */
  readonly note?: string;
}

/** How long and how often is measured. */
export interface Settings {
  /** Only whether it works; the numbers mean nothing. */
  readonly smoke: boolean;
  readonly rounds: number;
  /** Length of one measurement. */
  readonly milliseconds: number;
}

/**
 * Scenarios that belong together. The generator goes on when a scenario has been measured, so what
 * it set up can be ended behind its `yield`.
 */
export interface Group {
  readonly name: string;
  readonly title: string;
  scenarios(settings: Settings): AsyncGenerator<Scenario>;
}
