import { readFileSync, writeFileSync } from "node:fs";
import { areas } from "./areas.js";

const page = new URL("./scores.md", import.meta.url);

/** How many mutants of an area there are, and how many of them the tests catch or cannot. */
export interface Score {
  readonly mutants: number;
  readonly caught: number;
  readonly equal: number;
}

/** Writes the row of an area into `scores.md`. */
export function writeScore(area: string, { mutants, caught, equal }: Score): void {
  const text = readFileSync(page, "utf8");
  const head = text.slice(0, text.indexOf("| Area"));
  const rows = new Map(
    [...text.matchAll(/^\| (.+?) \| .*$/gm)].map(([row, name = ""]) => [name, row]),
  );
  const percent = ((100 * caught) / (mutants - equal)).toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  rows.set(area, `| ${area} | ${mutants} | ${caught} | ${equal} | ${percent} % | ${date} |`);
  const body = Object.keys(areas).map((name) => rows.get(name) ?? `| ${name} | | | | | |`);
  writeFileSync(
    page,
    `${head}| Area | Mutants | Caught | Equal | Score | Date |\n|---|---|---|---|---|---|\n${body.join("\n")}\n`,
  );
}
