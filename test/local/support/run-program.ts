import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { root } from "../../support/project.js";

const run = promisify(execFile);

/** Debian's Python, which has the Azure packages of Debian. */
export const PYTHON = "/usr/bin/python3";

/** Runs a program with these environment variables and no other credentials or proxies. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, ...environment };
  const { stdout } = await run(program, [...args], { cwd: root, env, timeout: 120_000 });
  return stdout;
}

/** Runs an ES module in a process of its own: Node reads certificate files only at its start. */
export function runNode(source: string, environment: Readonly<Record<string, string>>) {
  return runProgram(process.execPath, ["--input-type=module", "--eval", source], environment);
}

/** Runs a Python script. */
export function runPython(source: string, environment: Readonly<Record<string, string>>) {
  return runProgram(PYTHON, ["-c", source], environment);
}

/** Why a test for Python with these packages must be skipped; `undefined` if it can run. */
export async function missingPythonPackages(...modules: string[]): Promise<string | undefined> {
  if (!existsSync(PYTHON)) return `${PYTHON} is not installed`;
  const missing = await runPython(`import ${modules.join(", ")}`, {}).then(
    () => false,
    () => true,
  );
  return missing ? `Debian's Python packages ${modules.join(", ")} are not installed` : undefined;
}
