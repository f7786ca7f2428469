import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { DEBIAN_PYTHON } from "../../support/programs.js";
import { root } from "../../support/project.js";

const run = promisify(execFile);

/** Runs a program without the proxies and credentials of this process. */
async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...environment };
  const { stdout } = await run(program, [...args], { cwd: root, env, timeout: 290_000 });
  return stdout;
}

/**
 * Runs an ES module in a separate process, because Node reads certificate files only at its start.
 */
export function runNode(source: string, environment: Readonly<Record<string, string>>) {
  return runProgram(process.execPath, ["--input-type=module", "--eval", source], environment);
}

export function runPython(source: string, environment: Readonly<Record<string, string>>) {
  return runProgram(DEBIAN_PYTHON, ["-c", source], environment);
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
