import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { root } from "../../support/project.js";
import { startProgram } from "../support/run-program.js";

/** The built command with its state in the directory, once it accepts requests. */
export async function startBuilt(
  directory: string,
  ...options: readonly string[]
): Promise<ChildProcess> {
  const command = join(root, "local/bin/cloud-eventgrid-local.js");
  const args = [command, "--persist", "state", "--quiet", ...options];
  const { child, printed } = startProgram(process.execPath, args, { cwd: directory });
  await printed(/is running/);
  return child;
}
