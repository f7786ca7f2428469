import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { chart } from "./chart.js";
import type { ScenarioResult } from "./measure.js";
import type { Group, Settings } from "./scenario.js";

/** Writes the results of a group as JSON and a chart as SVG. */
export function writeResults(
  folder: string,
  { name, title }: Group,
  settings: Settings,
  scenarios: readonly ScenarioResult[],
): void {
  mkdirSync(folder, { recursive: true });
  const results = { group: name, machine: machine(), settings, scenarios };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(join(folder, `${name}.svg`), chart(title, scenarios));
}

function machine() {
  const [first] = cpus();
  return {
    date: new Date().toISOString(),
    node: process.version,
    system: `${type()} ${release()}`,
    processor: first?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  };
}
