import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

/** The title of `it`, `describe` and their variants; a table of `it.each` ends with `])(`. */
const TITLE =
  /(?:\b(?:it|describe|describeWith)\b[^"'`\n]{0,80}?\(\s*(?:"[\w-]+",\s*)?|\]\)\(\s*)["'`]((?:\\.|[^"'`\\])+)/g;
const PREPOSITION =
  /^(?:about|after|and|as|at|before|between|by|during|for|from|if|in|into|of|on|per|that|through|to|under|until|via|when|while|with|within|without)\b/i;

/** A report shows a title without the file around it, so it begins with a verb or a subject. */
it("finds no title that begins with a preposition, with that or with and", () => {
  const folder = join(root, "test");
  const titles = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(TITLE)].map(
        ([, title = ""]) => `${file}: ${title}`,
      ),
    );
  expect(titles.length).toBeGreaterThan(1_000);
  expect(titles.filter((line) => PREPOSITION.test(line.replace(/^.*?: /, "")))).toEqual([]);
});
