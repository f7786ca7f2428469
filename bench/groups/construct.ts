import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Contender, Group, Scenario, Settings } from "../harness/scenario.js";

const run = promisify(execFile);

export const construct: Group = {
  name: "construct",
  title: "Synthesis of bindings, and import of the library",
  async *scenarios(settings) {
    await program("same-resources");
    for (const bindings of settings.smoke ? [2] : [10, 100, 1000]) {
      yield synthesis(bindings, settings);
    }
    yield imports();
  },
};

function synthesis(bindings: number, { smoke }: Settings): Scenario {
  const contender = (name: string, way: string, more: Partial<Contender>): Contender => ({
    name,
    ...more,
    measure: async () => JSON.parse(await program("synthesize", [way, String(bindings)])),
  });
  return {
    name: `${bindings} bindings in a stack`,
    columns: [
      { key: "each", title: "ms per binding", better: "less" },
      { key: "cpu", title: "CPU ms per binding", better: "less" },
    ],
    // Small stacks vary more, because the start of the process dominates.
    rounds: smoke ? 1 : bindings < 1000 ? 9 : 5,
    contenders: [
      contender("CloudEventGridBinding", "binding", { ours: true }),
      contender("the same resources by hand", "hand", { target: { atMost: 1.15 } }),
    ],
  };
}

function imports(): Scenario {
  const contender = (name: string, module: string, more: Partial<Contender>): Contender => ({
    name,
    ...more,
    measure: async () => JSON.parse(await program("import", [module])),
  });
  return {
    name: "import",
    columns: [
      { key: "milliseconds", title: "ms", better: "less" },
      { key: "megabytes", title: "MB of memory", better: "less" },
    ],
    rounds: 5,
    contenders: [
      contender("the library", "library", { ours: true }),
      contender("the deep imports that it needs", "deep", { target: { atMost: 1.2 } }),
    ],
  };
}

/** Runs a program in a separate process, because imports cost time only once per process. */
async function program(name: string, args: readonly string[] = []): Promise<string> {
  const path = fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  const { stdout } = await run(process.execPath, [
    "--import",
    import.meta.resolve("tsx"),
    path,
    ...args,
  ]);
  return stdout;
}
