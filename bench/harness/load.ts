import type { Sample } from "./scenario.js";

/**
 * Lets concurrent callers repeat a job, and measures the rate and the CPU time of this process.
 *
 * @param unitsPerCall how many units, such as events, one call processes
 */
export async function load(
  job: () => Promise<unknown>,
  callers: number,
  milliseconds: number,
  unitsPerCall = 1,
): Promise<Sample> {
  let calls = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const end = started + milliseconds;
  const caller = async () => {
    while (performance.now() < end) {
      await job();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const units = calls * unitsPerCall;
  return { rate: units / seconds, cpu: (user + system) / units };
}
