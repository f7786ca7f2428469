import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

/** The values of a contender, with the ratio that ours must have to it. */
interface Contender {
  readonly name: string;
  readonly target?: Readonly<Record<"atLeast" | "atMost", number>>;
  /** The lowest and the highest value of each column. */
  readonly spread?: Readonly<Record<string, readonly [number, number]>>;
  readonly [column: string]: unknown;
}

const RESULTS = join(root, "bench/results");
const PAGE = "docs/contributing/benchmarks.md";
const ROWS = /(?<=^\| Group \| What .*\n\|[-|]+\n)(?:\|.*\n)*/m;

/** The results that have a target. Ours is the first of a scenario. */
function rowsOf(file: string): string[] {
  const group = file.replace(".json", "");
  const text = readFileSync(join(RESULTS, file), "utf8");
  const { scenarios }: { scenarios: Record<string, readonly Contender[]> } = JSON.parse(text);
  return Object.entries(scenarios).flatMap(([scenario, contenders]) =>
    contenders.flatMap(({ name, target, spread, ...columns }) => {
      if (target === undefined) return [];
      const [column = ""] = Object.keys(columns);
      const ratio = Number(contenders[0]?.[column]) / Number(columns[column]);
      const [bound, required] = Object.entries(target)[0] ?? [];
      const sign = bound === "atLeast" ? "≥" : "≤";
      const [own, its] = [contenders[0]?.spread?.[column], spread?.[column]];
      const isSame = own && its && own[0] <= its[1] && its[0] <= own[1];
      const measured = isSame ? "same" : ratio.toFixed(2);
      const cells = [group, scenario, name, `${sign} ${required}`, measured];
      return `| ${cells.join(" | ")} |\n`;
    }),
  );
}

it("docs/contributing/benchmarks.md has the results that have a target (npm run generate)", async () => {
  const files = readdirSync(RESULTS).filter((file) => file.endsWith(".json"));
  const rows = files.sort().flatMap(rowsOf);
  expect(rows.length).toBeGreaterThan(10);
  const page = readFileSync(join(root, PAGE), "utf8").replace(ROWS, rows.join(""));
  await expect(page).toMatchFileSnapshot(join(root, PAGE));
});
