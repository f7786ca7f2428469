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
export function runCommand(argv: readonly string[] = [], directory = emptyDirectory(), input = "") {
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
    directory,
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

/** The same in a directory with a configuration file. */
export function runConfigured(configuration: object, ...argv: readonly string[]) {
  const directory = emptyDirectory();
  configure(directory, configuration);
  return runCommand(argv, directory);
}

/** An instance that is running. */
export async function startCommand(argv: readonly string[] = [], directory = emptyDirectory()) {
  const command = runCommand(argv, directory);
  await command.printed(/export/);
  return command;
}

/** What a command prints that ends well. */
export async function outputOf(directory: string, ...argv: readonly string[]): Promise<string> {
  const command = runCommand(argv, directory);
  expect(await command.exitCode, command.err()).toBe(0);
  return command.out();
}

/** The same of a command with `--json`. */
export async function jsonOf(directory: string, ...argv: readonly string[]) {
  return JSON.parse(await outputOf(directory, ...argv, "--json"));
}

/** The environment of the instance in a directory, as `env --json` prints it. */
export function environmentOf(
  directory: string,
  ...options: readonly string[]
): Promise<Record<string, string>> {
  return jsonOf(directory, "env", ...options);
}
