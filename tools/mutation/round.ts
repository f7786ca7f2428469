import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { TestSpecification } from "vitest/node";
import type { Plan } from "./runner.js";
import { root, vitestWith } from "./vitest.js";

/** A process that runs tests once with `runner.ts`. Arguments: a file with the sources, the tests. */

const [sources = "", ...tests] = process.argv.slice(2);
const texts = new Map(
  Object.entries<string>(JSON.parse(readFileSync(sources, "utf8"))).map(([file, text]) => [
    join(root, file),
    text,
  ]),
);
const { order = [] }: Plan = JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? "", "utf8"));

class InOrder {
  sort(files: TestSpecification[]): TestSpecification[] {
    const place = ({ moduleId }: TestSpecification) => order.indexOf(relative(root, moduleId));
    return files.sort((one, other) => place(one) - place(other));
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

const vitest = await vitestWith((path) => texts.get(path), {
  runner: "tools/mutation/runner.ts",
  sequence: { sequencer: InOrder },
});
await vitest.runTestSpecifications(await vitest.globTestSpecifications(tests));
await vitest.close();
process.exit();
