import { expect, it } from "vitest";
import { command } from "../command.js";
import { directoryWith } from "../temporary.js";

it.each<[exitCode: number, message: string, ...args: string[]]>([
  [2, "give a component document, --env <prefix> or --terraform <file>"],
  [2, "give one definition", "a.yaml", "--env", "ORDERS"],
  [2, "give one definition", "a.yaml", "--terraform", "none.json"],
  [2, "--component goes with a file only", "--env", "ORDERS", "--component", "orders"],
  [1, "the outputs contain no environment of a binding", "--terraform", "none.json"],
])("reads no deployment: exit code %i, %s", async (exitCode, message, ...args) => {
  const directory = directoryWith({ "a.yaml": "", "none.json": "{}" });
  const printed = await command(["doctor", ...args], { directory });
  expect(printed).toEqual({ exitCode, out: "", error: expect.stringContaining(message) });
});
