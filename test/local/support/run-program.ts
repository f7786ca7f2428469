import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
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

/** A program that runs, until the end of the test at most. */
export function startProgram(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
) {
  const child = spawn(program, args, options);
  onTestFinished(() => killed(child));
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      out += chunk;
    });
  }
  return { child, printed: (pattern: RegExp) => expect.poll(() => out).toMatch(pattern) };
}

/** Kills a program, in whatever it is doing. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
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
