import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { root } from "../../support/project.js";

/**
 * The built command with its state in the directory, once it accepts requests. It is killed after
 * the test.
 */
export async function startBuilt(
  directory: string,
  ...options: readonly string[]
): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      join(root, "local/bin/cloud-eventgrid-local.js"),
      ...["--persist", "state", "--quiet"],
      ...options,
    ],
    { cwd: directory, stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await killed(child);
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await expect.poll(() => out, { timeout: 20_000, interval: 20 }).toMatch(/is running/);
  return child;
}

/** Kills the process in whatever it is doing. */
export async function killed(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}
