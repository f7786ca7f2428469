/**
 * Starts and stops the service as a separate process, for Terraform's `local-exec`:
 *
 *     process.ts up MODULE LOG-FILE READY-URL
 *     process.ts down LOG-FILE
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Ends what hangs; a busy machine takes a part of it. */
const TIMEOUT_MS = 120_000;
const POLL_MS = 50;

export interface ServiceToStart {
  readonly module: string;
  /** Gets the output of the service; the process ID is stored in a file next to it. */
  readonly logFile: string;
  /** Answers with 200 when the service is up. */
  readonly readyUrl: string;
  /** Variables that the service gets in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the service and waits until it is ready. */
export async function up(service: ServiceToStart): Promise<void> {
  const { module, logFile, readyUrl, environment = {} } = service;
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), module], {
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...environment },
  });
  closeSync(log);
  child.unref();
  writeFileSync(pidFile(logFile), String(child.pid));

  const settled = await waitFor(
    async () => child.exitCode !== null || (await answers(readyUrl)),
    TIMEOUT_MS,
  );
  if (settled && child.exitCode === null) return;
  await down(logFile);
  throw new Error(`the service did not start; its log ends with\n${lastLines(logFile)}`);
}

/** Stops the service and waits until it has ended; does nothing if it is not running. */
export async function down(logFile: string): Promise<void> {
  if (!existsSync(pidFile(logFile))) return;
  const pid = Number(readFileSync(pidFile(logFile), "utf8"));
  if (isAlive(pid)) process.kill(pid, "SIGTERM");
  if (!(await waitFor(() => !isAlive(pid), TIMEOUT_MS))) process.kill(pid, "SIGKILL");
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
    await setTimeout(POLL_MS);
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [verb, first, second, third] = process.argv.slice(2);
  if (verb === "up" && first && second && third) {
    await up({ module: first, logFile: second, readyUrl: third });
  } else if (verb === "down" && first) {
    await down(first);
  } else {
    throw new Error("usage: process.ts up MODULE LOG-FILE READY-URL | down LOG-FILE");
  }
}
