import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, vitestWith } from "./vitest.js";

/** A process that runs tests once with `runner.ts`. Arguments: a file with the sources, the tests. */

const [sources = "", ...tests] = process.argv.slice(2);
const texts = new Map(
  Object.entries<string>(JSON.parse(readFileSync(sources, "utf8"))).map(([file, text]) => [
    join(root, file),
    text,
  ]),
);
const vitest = await vitestWith((path) => texts.get(path), {
  runner: "tools/mutation/runner.ts",
});
await vitest.runTestSpecifications(await vitest.globTestSpecifications(tests));
await vitest.close();
process.exit();
