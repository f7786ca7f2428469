import type { Sample } from "./scenario.js";

/**
 * Lets concurrent callers repeat a job, and measures the rate and the CPU time of this process.
 *
 * @param unitsPerCall how many units, such as events, one call processes
 * @param serverMicros the processor time of the servers so far: the sample then has `work`, which is
 * their processor time and that of this process
 */
export async function load(
  job: () => Promise<unknown>,
  callers: number,
  milliseconds: number,
  unitsPerCall = 1,
  serverMicros?: () => number | Promise<number>,
): Promise<Sample> {
  let calls = 0;
  const servers = await serverMicros?.();
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
  const sample = { rate: units / seconds, cpu: (user + system) / units };
  if (serverMicros === undefined || servers === undefined) return sample;
  return { ...sample, work: sample.cpu + ((await serverMicros()) - servers) / units };
}
