/**
 * Measures the packages side by side with their alternatives.
 *
 *     npm run bench                     all groups
 *     npm run bench -- publisher        one group
 *     npm run bench -- --smoke          all groups briefly, to check that they work
 *     npm run bench -- --processes=3 --rounds=2 --milliseconds=500
 *     npm run bench -- listener --against=v0.1.0     next to the packages of another commit
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { groups } from "./groups/index.js";
import { LOAD_CORE, pin } from "./harness/cores.js";
import { measure, type ScenarioResult } from "./harness/measure.js";
import { Reference } from "./harness/reference.js";
import { writeResults } from "./harness/results.js";
import type { Group, Settings } from "./harness/scenario.js";
import { table } from "./harness/table.js";

const { values, positionals } = readArguments();
const processes = Number(values.processes);
const rounds = Number(values.rounds);
const milliseconds = values.smoke ? 40 : Number(values.milliseconds);
const chosen =
  positionals.length === 0 ? groups : groups.filter(({ name }) => positionals.includes(name));
if (chosen.length === 0 || !(processes >= 1) || !(rounds >= 1) || !(milliseconds >= 1)) {
  usage();
}
const against = values.against === undefined ? undefined : Reference.checkOut(values.against);
const temporary = mkdtempSync(join(tmpdir(), "cloud-eventgrid-bench-"));
process.env.TMPDIR = temporary;
process.once("exit", () => {
  against?.remove();
  rmSync(temporary, { recursive: true, force: true });
});
process.once("SIGINT", () => process.exit(130));
const settings: Settings = { smoke: values.smoke, processes, rounds, milliseconds, against };

if (!pin(process.pid, LOAD_CORE)) {
  console.log(
    "Server and load share their cores, because this system cannot pin processes to cores.\n",
  );
}
const results = fileURLToPath(new URL("results", import.meta.url));
let failures = 0;
for (const group of chosen) {
  try {
    const scenarios = await run(group);
    // The committed results compare with what others use, not with another commit.
    if (!settings.smoke && against === undefined) writeResults(results, group, settings, scenarios);
  } catch (error) {
    failures += 1;
    console.error(`${group.name} could not be measured:`, error);
  }
}
// Keep-alive connections of the contenders would hold the process for a while.
process.exit(failures === 0 ? 0 : 1);

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        smoke: { type: "boolean", default: false },
        processes: { type: "string", default: "5" },
        rounds: { type: "string", default: "2" },
        milliseconds: { type: "string", default: "1500" },
        against: { type: "string" },
      },
    });
  } catch {
    usage();
  }
}

function usage(): never {
  const names = groups.map(({ name }) => name).join(" | ");
  const options = "[--smoke] [--processes=5] [--rounds=2] [--milliseconds=1500] [--against=COMMIT]";
  console.error(`usage: npm run bench -- [${names}] ${options}`);
  process.exit(2);
}

async function run(group: Group): Promise<ScenarioResult[]> {
  console.log(`# ${group.title} (${group.name})\n`);
  const scenarios: ScenarioResult[] = [];
  for await (const scenario of group.scenarios(settings)) {
    for (const result of await measure(scenario, settings)) {
      scenarios.push(result);
      const { name, contenders } = result;
      const works = `works: ${name}: ${contenders.map((contender) => contender.name).join("; ")}`;
      console.log(settings.smoke ? works : table(result));
    }
  }
  return scenarios;
}
