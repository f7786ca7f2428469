import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { run } from "../../../local/src/cli/program.js";

/** An empty working directory, deleted after the test. */
export function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "command-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes the configuration file of a directory. */
export function configure(directory: string, configuration: object): void {
  writeFileSync(join(directory, "cloud-eventgrid-local.json"), JSON.stringify(configuration));
}

/** The command `cloud-eventgrid-local`, run in this process and interrupted after the test. */
export function runCommand(argv: readonly string[], directory: string, input = "") {
  const interruption = new AbortController();
  let out = "";
  let err = "";
  const exitCode = run(argv, {
    directory,
    print: (text) => {
      out += text;
    },
    printError: (text) => {
      err += text;
    },
    readInput: async () => input,
    interrupted: interruption.signal,
  });
  const interrupt = async () => {
    interruption.abort();
    return exitCode;
  };
  onTestFinished(async () => void (await interrupt()));
  return {
    exitCode,
    interrupt,
    out: () => out,
    err: () => err,
    /** Resolves with the first match in what was printed, once it is there. */
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      await expect.poll(() => out + err).toMatch(pattern);
      const match = pattern.exec(out + err);
      if (!match) throw new Error(`${pattern} was not printed`);
      return match;
    },
  };
}

/** The environment of the instance in a directory, as `env --json` prints it. */
export async function environmentOf(
  directory: string,
  ...options: readonly string[]
): Promise<Record<string, string>> {
  const command = runCommand(["env", "--json", ...options], directory);
  expect(await command.exitCode, command.err()).toBe(0);
  return JSON.parse(command.out());
}
