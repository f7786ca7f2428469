import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { chart } from "./chart.js";
import type { ScenarioResult } from "./measure.js";
import type { Group, Settings } from "./scenario.js";

/** Writes the medians of a group as JSON, with a line for each contender, and a chart as SVG. */
export function writeResults(
  folder: string,
  { name, title }: Group,
  settings: Settings,
  scenarios: readonly ScenarioResult[],
): void {
  mkdirSync(folder, { recursive: true });
  const { processes, rounds, milliseconds } = settings;
  const head = JSON.stringify({ group: name, machine: machine(), processes, rounds, milliseconds });
  const parts = scenarios.map(
    (scenario) => `  ${JSON.stringify(scenario.name)}: [\n${lines(scenario)}\n  ]`,
  );
  const json = `{"measured": ${head},\n "scenarios": {\n${parts.join(",\n")}\n}}\n`;
  writeFileSync(join(folder, `${name}.json`), json);
  writeFileSync(join(folder, `${name}.svg`), chart(title, scenarios));
}

function lines({ contenders }: ScenarioResult): string {
  return contenders
    .map(({ name, values, target }) => {
      const fields = Object.entries(values).map(([key, { value }]) => [key, rounded(value)]);
      const spreads = Object.entries(values).map(([key, { spread }]) => [key, spread.map(rounded)]);
      const spread = Object.fromEntries(spreads);
      return `    ${JSON.stringify({ name, ...Object.fromEntries(fields), spread, target })}`;
    })
    .join(",\n");
}

const rounded = (value: number) => Number(value.toPrecision(4));

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
