import { fileURLToPath } from "node:url";
import type { TestModule, TestSpecification, Vitest } from "vitest/node";
import { vitestWith } from "./vitest.js";

/**
 * A process that keeps Vitest warm and runs tests with one source file replaced, again and again: for
 * mutants that act while a module is loaded. `warm-process.ts` starts it, and ends it when a mutant
 * runs for ever.
 */

/** A question to this process: do these tests notice that this file has this text? */
export interface Trial {
  readonly file: string;
  /** Absent: the text on the disk. */
  readonly text?: string;
  readonly tests: readonly string[];
}

/** Its answer. */
export interface Outcome {
  /** The test that failed, with its file; absent if all passed. */
  readonly failed?: string;
  /** How many tests passed. */
  readonly passed: number;
  readonly milliseconds: number;
}

/** What a test file has cost, and how many mutants it has caught. */
const known = new Map<string, { caught: number; milliseconds: number }>();

/** Runs first what catches most mutants per second. */
class BestFirst {
  sort(files: TestSpecification[]): TestSpecification[] {
    const worth = ({ moduleId }: TestSpecification) => {
      const { caught, milliseconds } = known.get(moduleId) ?? { caught: 0, milliseconds: 0 };
      return (caught + 0.1) / (milliseconds + 100);
    };
    return files.sort((one, other) => worth(other) - worth(one));
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

let replaced: { path: string; text: string } | undefined;

async function run(vitest: Vitest, { file, text, tests }: Trial): Promise<Outcome> {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  replaced = text === undefined ? undefined : { path, text };
  vitest.invalidateFile(path);
  const begun = performance.now();
  const specifications = await vitest.globTestSpecifications([...tests]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const milliseconds = performance.now() - begun;
  replaced = undefined;
  vitest.invalidateFile(path);

  let failed: string | undefined;
  let passed = 0;
  const asked = new Set(specifications.map(({ moduleId }) => moduleId));
  // Vitest returns the modules of earlier runs, too.
  for (const module of testModules.filter(({ moduleId }) => asked.has(moduleId))) {
    const reason = reasonOfFailure(module);
    passed += [...module.children.allTests("passed")].length;
    const before = known.get(module.moduleId) ?? { caught: 0, milliseconds: 0 };
    known.set(module.moduleId, {
      caught: before.caught + (reason === undefined ? 0 : 1),
      milliseconds: Math.max(before.milliseconds, module.diagnostic().duration),
    });
    if (reason !== undefined) failed ??= `${module.relativeModuleId}: ${reason}`;
  }
  if (unhandledErrors.length > 0) failed ??= "an error outside the tests";
  return { ...(failed !== undefined && { failed }), passed, milliseconds };
}

function reasonOfFailure(module: TestModule): string | undefined {
  const [test] = module.children.allTests("failed");
  if (test) return test.fullName;
  return module.ok() ? undefined : "could not be run";
}

const vitest = await vitestWith((path) => (path === replaced?.path ? replaced.text : undefined), {
  bail: 1,
  sequence: { sequencer: BestFirst },
});
process.on("disconnect", () => process.exit());
process.on("message", async (trial: Trial) => process.send?.(await run(vitest, trial)));
process.send?.("ready");
