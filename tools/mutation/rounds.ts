import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Line, Plan } from "./runner.js";

/** Milliseconds without a line of output after which a mutant runs for ever. */
const SILENCE_MS = 60_000;

/** What the rounds say of the mutants, which have numbers from 1. */
export interface Verdicts {
  /** The mutants that a test noticed, with its name. */
  readonly caught: ReadonlyMap<number, string>;
  /** Those that a test reached, and that no test noticed. */
  readonly passed: ReadonlySet<number>;
  /** Those that are reached while a module is loaded, or by tests that cannot be repeated. */
  readonly open: ReadonlySet<number>;
  /** The test files that reach each mutant. */
  readonly files: ReadonlyMap<number, ReadonlySet<string>>;
  /** Which mutants each test caught that could be repeated, by its name. */
  readonly byTest: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * Judges mutants behind switches in a few processes.
 *
 * @param sources - the texts with switches
 * @param byAll - whether a mutant that one test has caught is judged by the others, too
 */
export async function judge(
  sources: Readonly<Record<string, string>>,
  tests: readonly string[],
  byAll: boolean,
): Promise<Verdicts> {
  const folder = mkdtempSync(join(tmpdir(), "mutation-"));
  try {
    const texts = join(folder, "sources.json");
    writeFileSync(texts, JSON.stringify(sources));
    const round = new Round(folder, texts, tests, Object.keys(sources));
    return await judged(round, byAll);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function judged(round: Round, byAll: boolean): Promise<Verdicts> {
  const reach = new Map<string, { file: string; ms: number; mutants: readonly number[] }>();
  const files = new Map<number, Set<string>>();
  const outside = new Set<number>();
  for (const line of await round.run()) {
    if ("outside" in line) for (const mutant of line.outside) outside.add(mutant);
    if (!("reached" in line)) continue;
    reach.set(line.test, { file: line.file, ms: line.ms, mutants: line.reached });
    for (const mutant of line.reached)
      files.set(mutant, (files.get(mutant) ?? new Set()).add(line.file));
  }
  console.log(
    `  ${reach.size} tests reach ${files.size} mutants; ${outside.size} act while modules are loaded`,
  );

  const order = quickestFirst(reach.values());
  const caught = new Map<number, string>();
  const byTest = new Map<string, Set<number>>();
  const judgedBy = new Map<number, number>();
  const spoilt = new Set<string>();
  const done = new Set<string>();
  for (;;) {
    const left: Record<string, number[]> = {};
    for (const [test, { mutants }] of reach) {
      const some = mutants.filter(
        (one) => (byAll || !caught.has(one)) && !done.has(`${one} ${test}`),
      );
      if (some.length > 0 && !spoilt.has(test)) left[test] = some;
    }
    if (Object.keys(left).length === 0) break;
    let begun: { test: string; begins: number } | undefined;
    let news = 0;
    for (const line of await round.run({ left, order, byAll })) {
      news += 1;
      if ("begins" in line) begun = line;
      if ("caught" in line) {
        caught.set(line.caught, line.name);
        done.add(`${line.caught} ${line.test}`);
        byTest.set(line.name, (byTest.get(line.name) ?? new Set()).add(line.caught));
      }
      if ("passed" in line) {
        done.add(`${line.passed} ${line.test}`);
        judgedBy.set(line.passed, (judgedBy.get(line.passed) ?? 0) + 1);
      }
      if ("spoilt" in line) spoilt.add(line.test);
      if ("caught" in line || "passed" in line) begun = undefined;
    }
    // It ended the process, or ran for ever.
    if (begun) {
      caught.set(begun.begins, "the process, which ended");
      done.add(`${begun.begins} ${begun.test}`);
    } else if (news === 0) break;
  }
  if (spoilt.size > 0) console.log(`  ${spoilt.size} tests cannot be repeated`);
  const open = new Set(outside);
  for (const [test, { mutants }] of reach)
    if (spoilt.has(test)) for (const one of mutants) open.add(one);
  for (const mutant of caught.keys()) open.delete(mutant);
  const passed = new Set([...judgedBy.keys()].filter((one) => !caught.has(one) && !open.has(one)));
  return { caught, passed, open, files, byTest };
}

class Round {
  constructor(
    private readonly folder: string,
    private readonly texts: string,
    private readonly tests: readonly string[],
    private readonly sources: readonly string[],
  ) {}

  /** Runs the tests in a process of its own, until it ends or says nothing any more. */
  async run(work: Omit<Plan, "output" | "sources"> = {}): Promise<Line[]> {
    const output = join(this.folder, "lines");
    const plan = join(this.folder, "plan.json");
    rmSync(output, { force: true });
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const sources = this.sources.map((file) => join(root, file));
    writeFileSync(plan, JSON.stringify({ output, sources, ...work } satisfies Plan));
    const program = fileURLToPath(new URL("./round.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", program, this.texts, ...this.tests], {
      env: { ...process.env, MUTATION_PLAN: plan },
      detached: true,
      stdio: ["ignore", "ignore", "ignore"],
    });
    let size = 0;
    let lastNews = Date.now();
    const watch = setInterval(() => {
      const now = existsSync(output) ? statSync(output).size : 0;
      if (now !== size) lastNews = Date.now();
      size = now;
      const limit = size === 0 ? 5 * SILENCE_MS : SILENCE_MS;
      if (Date.now() - lastNews > limit && child.pid) process.kill(-child.pid, "SIGKILL");
    }, 1_000);
    await new Promise((resolve) => child.on("close", resolve));
    clearInterval(watch);
    if (!existsSync(output)) return [];
    const text = readFileSync(output, "utf8");
    return text
      .slice(0, text.lastIndexOf("\n"))
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }
}

/** The files of the tests, by how long a test of theirs takes. */
function quickestFirst(tests: Iterable<{ readonly file: string; readonly ms: number }>): string[] {
  const times = new Map<string, number[]>();
  for (const { file, ms } of tests) times.set(file, [...(times.get(file) ?? []), ms]);
  const mean = (each: readonly number[]) => each.reduce((sum, ms) => sum + ms, 0) / each.length;
  return [...times].sort(([, one], [, other]) => mean(one) - mean(other)).map(([file]) => file);
}
