import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Reference } from "../harness/reference.js";
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
    yield imports(settings);
  },
};

function synthesis(bindings: number, { smoke, against }: Settings): Scenario {
  const contender = (
    name: string,
    way: string,
    more: Partial<Contender>,
    commit?: Reference,
  ): Contender => ({
    name,
    ...more,
    measure: async () => JSON.parse(await program("synthesize", [way, String(bindings)], commit)),
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
      ...(against
        ? [contender(against.named("CloudEventGridBinding"), "binding", {}, against)]
        : []),
      contender("the same resources by hand", "hand", { target: { atMost: 1.15 } }),
    ],
  };
}

function imports({ against }: Settings): Scenario {
  const contender = (
    name: string,
    module: string,
    more: Partial<Contender>,
    commit?: Reference,
  ): Contender => ({
    name,
    ...more,
    measure: async () => JSON.parse(await program("import", [module], commit)),
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
      ...(against ? [contender(against.named("the library"), "library", {}, against)] : []),
      contender("the deep imports that it needs", "deep", { target: { atMost: 1.2 } }),
    ],
  };
}

/**
 * Runs a program in a separate process, because imports cost time only once per process.
 *
 * @param against the commit whose program is run @default the working copy's
 */
async function program(
  name: string,
  args: readonly string[] = [],
  against?: Reference,
): Promise<string> {
  const path =
    against?.module(`programs/${name}.ts`) ??
    fileURLToPath(new URL(`../programs/${name}.ts`, import.meta.url));
  const { stdout } = await run(process.execPath, [
    "--import",
    import.meta.resolve("tsx"),
    path,
    ...args,
  ]);
  return stdout;
}
