import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** The cores of the servers and of the load. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

/**
 * Keeps a process on one core, so that server and load do not share it.
 *
 * @returns whether the system supports it
 */
export function pin(pid: number, core: number): boolean {
  if (availableParallelism() < 2 && core > 0) return false;
  return spawnSync("taskset", ["-a", "-cp", String(core), String(pid)]).status === 0;
}
