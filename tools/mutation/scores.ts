import { readFileSync, writeFileSync } from "node:fs";
import { areas } from "./areas.js";

const page = new URL("./scores.md", import.meta.url);

/** How many mutants an area has, and what became of those that were tried. */
export interface Score {
  readonly mutants: number;
  /** Fewer than there are if they were drawn at random. */
  readonly tried: number;
  readonly caught: number;
  readonly equal: number;
  /** What the sample was drawn with. */
  readonly sample: string;
}

/** Writes the row of an area into `scores.md`. */
export function writeScore(area: string, { mutants, tried, caught, equal, sample }: Score): void {
  const text = readFileSync(page, "utf8");
  const head = text.slice(0, text.indexOf("| Area"));
  const rows = new Map(
    [...text.matchAll(/^\| (.+?) \| .*$/gm)].map(([row, name = ""]) => [name, row]),
  );
  const percent = ((100 * caught) / (tried - equal)).toFixed(1);
  const date = new Date().toISOString().slice(0, 10);
  rows.set(
    area,
    `| ${area} | ${mutants} | ${tried} | ${caught} | ${equal} | ${percent} % | ${date} | ${sample} |`,
  );
  const body = Object.keys(areas).map((name) => rows.get(name) ?? `| ${name} | | | | | | | |`);
  writeFileSync(
    page,
    `${head}| Area | Mutants | Tried | Caught | Equal | Score | Date | Sample |\n|---|---|---|---|---|---|---|---|\n${body.join("\n")}\n`,
  );
}
