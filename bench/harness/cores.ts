import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Core of the servers, and core of the load; undefined where the system cannot keep them apart. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/**
 * Keeps a process on one core, so that server and load do not share one.
 *
 * @returns whether the system could
 */
export function pin(pid: number, core: number): boolean {
  if (availableParallelism() < 2 && core > 0) return false;
  return spawnSync("taskset", ["-a", "-cp", String(core), String(pid)]).status === 0;
}
