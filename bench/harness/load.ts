import type { Sample } from "./scenario.js";
import { quantile } from "./statistics.js";

/**
 * Lets concurrent callers repeat a job, and measures rate, latency and the CPU time of this process.
 *
 * @param unitsPerCall how many units, such as events, one call processes
 */
export async function load(
  job: () => Promise<unknown>,
  callers: number,
  milliseconds: number,
  unitsPerCall = 1,
): Promise<Sample> {
  const latencies: number[] = [];
  const cpu = process.cpuUsage();
  const started = performance.now();
  const end = started + milliseconds;
  const caller = async () => {
    let before = performance.now();
    while (before < end) {
      await job();
      const after = performance.now();
      latencies.push(after - before);
      before = after;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const units = latencies.length * unitsPerCall;
  return {
    rate: units / seconds,
    cpu: (user + system) / units,
    p50: quantile(latencies, 0.5) * 1000,
    p99: quantile(latencies, 0.99) * 1000,
  };
}
