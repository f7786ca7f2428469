import { appendFileSync, readFileSync } from "node:fs";
import { type RunnerTask, type RunnerTestCase, TestRunner } from "vitest";

/**
 * Runs tests of sources that contain all of their mutants behind switches.
 *
 * The first round runs each test once and notes which mutants it reaches. The second repeats each
 * test with the mutants that it reached and that no test before it has caught. Each mutant is
 * preceded by a run without one if anything has failed since the last, so that a test that cannot
 * be repeated catches nothing. A mutant that spoils what tests share, such as a database, ends the
 * process; the next one goes on without it.
 */

/** What this process is asked; `MUTATION_PLAN` names the file. */
export interface Plan {
  readonly output: string;
  /** The files with mutants. */
  readonly sources: readonly string[];
  /** The mutants that are left, and the tests that reached them; absent in the first round. */
  readonly left?: Readonly<Record<string, readonly number[]>>;
  /** Whether a mutant that one test has caught is judged by the others, too. */
  readonly byAll?: boolean;
  /** The test files, the quickest first: most mutants are caught by the first tests that reach them. */
  readonly order?: readonly string[];
}

/** One line of the output. */
export type Line =
  /** What a test reached, in the first round. */
  | {
      readonly test: string;
      readonly file: string;
      readonly reached: readonly number[];
      readonly ms: number;
    }
  /** What was reached outside of tests, such as while a module is loaded, in the first round. */
  | { readonly outside: readonly number[] }
  | { readonly test: string; readonly begins: number }
  | { readonly test: string; readonly name: string; readonly caught: number }
  | { readonly test: string; readonly passed: number }
  | { readonly test: string; readonly spoilt: true };

const NONE = 0;

class Switches {
  on = NONE;
  readonly reached = new Set<number>();
  readonly caught = new Set<number>();
  /** The number of runs with a mutant. */
  tried = 0;
  readonly plan: Plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? "", "utf8"));

  /** Whether a mutant is on; the sources ask for each that they reach. */
  is(mutant: number): boolean {
    this.reached.add(mutant);
    return mutant === this.on;
  }

  say(line: Line): void {
    appendFileSync(this.plan.output, `${JSON.stringify(line)}\n`);
  }
}

declare global {
  var __mutation: Switches | undefined;
}

globalThis.__mutation ??= new Switches();
const switches = globalThis.__mutation;

/** Ends this worker and the process that has started it. */
const endProcess = () => process.kill(0, "SIGKILL");

/** Thrown instead of the runs that a test is spared. */
const SPARED = "spared";

/** The runs of one test. */
interface Course {
  readonly queue: number[];
  needsControl: boolean;
  isSpoilt: boolean;
}

export default class MutationRunner extends TestRunner {
  #course: Course = { queue: [], needsControl: false, isSpoilt: false };

  /**
   * Loads the sources before any test: a mutant that acts while a module is loaded would seem to be
   * reached by the test that is the first to import it, and be off again when that is repeated.
   */
  override async importFile(path: string, source: "collect" | "setup"): Promise<unknown> {
    if (source === "collect") for (const file of switches.plan.sources) await import(file);
    return super.importFile(path, source);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    const { left, byAll } = switches.plan;
    const queue = (left?.[test.id] ?? []).filter((one) => byAll || !switches.caught.has(one));
    this.#course = { queue, needsControl: true, isSpoilt: false };
    switches.on = NONE;
    if (!switches.plan.left && switches.reached.size > 0)
      switches.say({ outside: [...switches.reached] });
    switches.reached.clear();
    if (switches.plan.left && queue.length === 0) test.mode = "skip";
    // After each mutant that is caught there is a run without one.
    else test.repeats = queue.length === 0 ? 0 : 2 * queue.length;
    test.retry = 0;
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test);
    if (!switches.plan.left) return;
    const { queue, needsControl, isSpoilt } = this.#course;
    switches.on = NONE;
    if (isSpoilt || (queue.length === 0 && !needsControl)) throw new Error(SPARED);
    if (needsControl) return;
    switches.on = queue.shift() ?? NONE;
    switches.say({ test: test.id, begins: switches.on });
  }

  /** Is called after all hooks of a run. */
  onAfterRetryTask(test: RunnerTestCase): void {
    const { result } = test;
    if (!switches.plan.left || !result) return;
    const mutant = switches.on;
    const course = this.#course;
    const failed = result.state === "fail";
    const isSpared = failed && result.errors?.[0]?.message === SPARED;
    switches.on = NONE;
    if (mutant !== NONE) {
      switches.tried += 1;
      if (failed) {
        switches.caught.add(mutant);
        switches.say({ test: test.id, name: fullName(test), caught: mutant });
        course.needsControl = true;
        if (result.errors?.some(({ message }) => message.includes("timed out"))) endProcess();
      } else switches.say({ test: test.id, passed: mutant });
    } else if (!isSpared && course.needsControl) {
      course.needsControl = false;
      if (failed) {
        if (switches.tried > 0) endProcess();
        course.isSpoilt = true;
        switches.say({ test: test.id, spoilt: true });
      }
    }
    result.state = "run";
    delete result.errors;
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test);
    if (switches.plan.left || test.mode === "skip") return;
    const reached = [...switches.reached];
    switches.say({
      test: test.id,
      file: test.file.name,
      reached,
      ms: Math.round(test.result?.duration ?? 0),
    });
    switches.reached.clear();
  }
}

function fullName(task: RunnerTask): string {
  return task.suite ? `${fullName(task.suite)} > ${task.name}` : `${task.file.name} > ${task.name}`;
}
