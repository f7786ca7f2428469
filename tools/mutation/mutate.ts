import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { testsNearest } from "../tests/nearest.js";
import { type Area, areas } from "./areas.js";
import { Compiler } from "./compiler.js";
import { equalReason } from "./equal.js";
import { applied, type Mutant, withSwitches } from "./mutants.js";
import { judge, type Verdicts } from "./rounds.js";
import { sampleOf } from "./sample.js";
import { writeScore } from "./scores.js";
import { WarmProcess } from "./warm-process.js";

/**
 * `npm run mutate -- <area or source file>…` changes one token at a time and says which changes no
 * test notices. The score of a whole area goes into `scores.md`. `--sample=60` tries that many
 * changes, drawn at random; `--seed` draws those of an earlier run again. `--all` lets every test
 * judge every change, and prints the tests that catch nothing which others do not catch.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));
const compilers = new Map<string, Compiler>();
const warm = new WarmProcess();

/** Milliseconds after which a mutant that acts while a module is loaded runs for ever. */
const SLOW_MS = 180_000;

type Fate = "caught" | "equal" | "survived";

async function measure(name: string, { files, tests }: Area): Promise<void> {
  const texts = new Map<string, string>();
  const sources: Record<string, string> = {};
  const all = files.flatMap((file) => compilerOf(file).mutantsOf(file));
  const drawn = sampleOf(all, size, seed);
  const mutants: Mutant[] = [];
  for (const file of files) {
    const text = readFileSync(`${root}${file}`, "utf8");
    const own = drawn.filter((mutant) => mutant.file === file);
    texts.set(file, text);
    sources[file] = withSwitches(text, own, mutants.length + 1);
    mutants.push(...own);
  }
  console.log(`${name}: ${mutants.length} of ${all.length} mutants in ${files.length} files`);
  const verdicts = await judge(sources, tests, values.all);
  const near = nearOf(mutants, verdicts);
  const score = { mutants: all.length, tried: mutants.length, caught: 0, equal: 0, survived: 0 };
  for (const [index, mutant] of mutants.entries()) {
    const number = index + 1;
    let by = verdicts.caught.get(number);
    if (by === undefined && verdicts.open.has(number)) {
      const text = applied(texts.get(mutant.file) ?? "", mutant);
      const own = testsNearest(mutant.file);
      const some = [...new Set([...own, ...(near.get(mutant.file) ?? tests)])];
      const outcome = await warm.run({ file: mutant.file, text, tests: some }, SLOW_MS);
      by = outcome ? outcome.failed : "no answer";
    }
    by ??= compilerOf(mutant.file).problem(mutant);
    const reason = equalReason(mutant);
    const fate: Fate = by !== undefined ? "caught" : reason ? "equal" : "survived";
    score[fate] += 1;
    if (process.env.VERBOSE) console.log(`  ${fate} ${shown(mutant)}  ${by ?? ""}`);
    else if (fate === "survived") console.log(`  ${shown(mutant)}`);
    if (fate === "caught" && reason) console.log(`  listed as equal, but caught: ${shown(mutant)}`);
  }
  const share = (100 * score.caught) / (score.tried - score.equal);
  console.log(`  ${score.caught} of ${score.tried - score.equal} caught: ${share.toFixed(1)} %`);
  if (areas[name]) writeScore(name, { ...score, sample: drawnWith });
  if (values.all) showReplaceable(verdicts);
}

/** Prints the tests that catch only what other tests catch as well: candidates to delete. */
function showReplaceable({ byTest }: Verdicts): void {
  const times = new Map<number, number>();
  for (const mutants of byTest.values())
    for (const mutant of mutants) times.set(mutant, (times.get(mutant) ?? 0) + 1);
  console.log("  Tests of whose mutants each is caught by another test, too:");
  for (const [test, mutants] of [...byTest].sort())
    if ([...mutants].every((mutant) => (times.get(mutant) ?? 0) > 1))
      console.log(`    ${test}: ${mutants.size}`);
}

/** So many test files judge a mutant that acts while a module is loaded, one by one. */
const NEAREST = 10;

/** The test files that reach most of a source file. */
function nearOf(mutants: readonly Mutant[], { files }: Verdicts): Map<string, string[]> {
  const near = new Map<string, Map<string, number>>();
  for (const [number, reached] of files) {
    const file = mutants[number - 1]?.file ?? "";
    const counts = near.get(file) ?? new Map<string, number>();
    near.set(file, counts);
    for (const test of reached) counts.set(test, (counts.get(test) ?? 0) + 1);
  }
  const most = (counts: ReadonlyMap<string, number>) =>
    [...counts].sort(([, one], [, other]) => other - one).slice(0, NEAREST);
  return new Map([...near].map(([file, counts]) => [file, most(counts).map(([test]) => test)]));
}

function shown({ file, line, original, replacement, code }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, " ").slice(0, 60);
  return `${file}:${line}  ${short(original)} → ${short(replacement)}   ${code}`;
}

function compilerOf(file: string): Compiler {
  const folder = file.split("/", 1)[0] ?? "";
  const compiler = compilers.get(folder) ?? new Compiler(folder);
  compilers.set(folder, compiler);
  return compiler;
}

/** The area that is meant: all of one, one of its files, or a file of none with its nearest tests. */
function meant(word: string): Area {
  const area = areas[word];
  if (area) return area;
  if (!existsSync(`${root}${word}`)) {
    throw new Error(`Name a source file or one of these areas: ${Object.keys(areas).join(", ")}.`);
  }
  const around = Object.values(areas).find(({ files }) => files.includes(word));
  return { files: [word], tests: around?.tests ?? testsNearest(word) };
}

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string" },
    all: { type: "boolean", default: false },
  },
});
const size = Number(values.sample ?? Number.POSITIVE_INFINITY);
const seed = values.seed ?? `${randomInt(1_000_000)}`;
/** A sample with a given seed may be one whose survivors have got tests since. */
const drawnWith = !values.sample ? "all" : values.seed ? `${seed}, again` : `${seed}, new`;

try {
  if (!(size >= 1)) throw new Error("--sample is a number of mutants, at least 1.");
  if (values.sample) console.log(`--sample=${size} --seed=${seed}`);
  // Every night another area; all of them within three weeks.
  const day = Math.floor(Date.now() / 86_400_000);
  const names = Object.keys(areas);
  const today = names[day % names.length] ?? "";
  for (const word of words[0] === "today" ? [today] : words) await measure(word, meant(word));
} finally {
  warm.end();
}
