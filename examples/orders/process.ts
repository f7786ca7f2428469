/**
 * Starts and ends the service as a process of its own, for Terraform's `local-exec`:
 *
 *     process.ts up MODULE LOGFILE READY-URL
 *     process.ts down LOGFILE
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** Starts the module, and waits until it says that it is ready. */
export async function up(module: string, logFile: string, readyUrl: string): Promise<void> {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), module], {
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child.unref();
  writeFileSync(pidFile(logFile), String(child.pid));

  const ready = await waitFor(
    async () => child.exitCode !== null || (await answers(readyUrl)),
    PATIENCE_MS,
  );
  if (!ready || child.exitCode !== null) {
    throw new Error(`the service did not come up; its log ends with\n${lastLines(logFile)}`);
  }
}

/** Asks the process to end, and waits until it has; harmless when it is gone already. */
export async function down(logFile: string): Promise<void> {
  if (!existsSync(pidFile(logFile))) return;
  const pid = Number(readFileSync(pidFile(logFile), "utf8"));
  if (isAlive(pid)) process.kill(pid, "SIGTERM");
  if (!(await waitFor(() => !isAlive(pid), PATIENCE_MS))) process.kill(pid, "SIGKILL");
  rmSync(pidFile(logFile));
}

const pidFile = (logFile: string) => `${logFile}.pid`;

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  );

const lastLines = (file: string) =>
  readFileSync(file, "utf8").trimEnd().split("\n").slice(-10).join("\n");

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function waitFor(done: () => boolean | Promise<boolean>, atMostMs: number): Promise<boolean> {
  const end = performance.now() + atMostMs;
  while (!(await done())) {
    if (performance.now() > end) return false;
    await setTimeout(LOOK_EVERY_MS);
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [verb, ...args] = process.argv.slice(2);
  const [first, second, third] = args;
  if (verb === "up" && first && second && third) await up(first, second, third);
  else if (verb === "down" && first) await down(first);
  else
    throw new Error(
      `usage: up MODULE LOGFILE READY-URL | down LOGFILE, not: ${verb} ${args.join(" ")}`,
    );
}
