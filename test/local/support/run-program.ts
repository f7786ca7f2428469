import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { it } from "vitest";
import { root } from "../../support/project.js";

const run = promisify(execFile);

/** Debian's Python, which has the Azure packages of Debian. */
export const PYTHON = "/usr/bin/python3";

/** Runs a program without the proxies and credentials of this process. */
async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...environment };
  const { stdout } = await run(program, [...args], { cwd: root, env, timeout: 170_000 });
  return stdout;
}

/**
 * Runs an ES module in a separate process, because Node reads certificate files only at its start.
 */
export function runNode(source: string, environment: Readonly<Record<string, string>>) {
  return runProgram(process.execPath, ["--input-type=module", "--eval", source], environment);
}

export function runPython(source: string, environment: Readonly<Record<string, string>>) {
  return runProgram(PYTHON, ["-c", source], environment);
}

/** Runs shell commands, and fails if one of them fails. */
export function runShell(commands: string, environment: Readonly<Record<string, string>>) {
  return runProgram("bash", ["-euo", "pipefail", "-c", commands], environment);
}

/**
 * A test that needs programs or Debian's Python packages; skipped with the reason if one is
 * missing.
 */
export async function itWith(name: string, needed: readonly string[], test: () => Promise<void>) {
  const reason = await missingPrograms(needed);
  if (reason === undefined) it(name, test, 180_000);
  else it.skip(`${name} (skipped: ${reason})`, test);
}

/** `undefined` if all are installed. */
async function missingPrograms(needed: readonly string[]): Promise<string | undefined> {
  const isMissing = async (name: string) => {
    const found = name.includes(".")
      ? runPython(`import ${name}`, {})
      : runShell(`command -v ${name}`, {});
    return (await found.catch(() => undefined)) === undefined;
  };
  const missing = await Promise.all(needed.map(isMissing));
  const names = needed.filter((_, index) => missing[index]);
  return names.length === 0 ? undefined : `${names.join(", ")} not installed`;
}
