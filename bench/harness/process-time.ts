import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const TICK_MICROS = 10_000;

/**
 * Processor time of processes and their children so far, in microseconds, also of children that have
 * ended. Only Linux says it.
 *
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function cpuMicrosOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const [, parent, ...times] = fieldsOf(pid);
    const isOne = pids.includes(pid);
    if (!isOne && !pids.includes(Number(parent))) continue;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = times.slice(9).map(Number);
    ticks += user + system + (isOne ? endedUser + endedSystem : 0);
  }
  return ticks * TICK_MICROS;
}

/** The fields after the program's name: state, parent, and so on. None for a process that has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
