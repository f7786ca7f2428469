import { execFile } from "node:child_process";
import { join } from "node:path";
import { root } from "../support/project.js";

/** Runs `cloud-eventgrid` in a process of its own, as a user does. */
export function cloudEventgrid(args: readonly string[], env: Record<string, string> = {}) {
  const program = join(root, "cli/bin/cloud-eventgrid.js");
  return new Promise<{ exitCode: number; out: string; error: string }>((resolve) => {
    const options = { env: { ...process.env, ...env } };
    const child = execFile(process.execPath, [program, ...args], options, (_, out, error) => {
      resolve({ exitCode: child.exitCode ?? -1, out, error });
    });
  });
}
