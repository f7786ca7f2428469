import { setTimeout as sleep } from "node:timers/promises";

/** How often and how long a stand-in polls the cloud, in milliseconds. */
export interface Polling {
  /** The time between two polls. */
  readonly intervalMs: number;
  /** The time after which it gives up. The real providers wait up to thirty minutes. */
  readonly timeoutMs: number;
  /** Ends all waiting immediately. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `poll` until it has a result.
 *
 * @throws Go's error message, which users of the real providers know, after the timeout.
 */
export async function eventually<Result>(
  polling: Polling,
  poll: () => Promise<Result | undefined>,
): Promise<Result> {
  const deadline = Date.now() + polling.timeoutMs;
  for (;;) {
    const result = await poll();
    if (result !== undefined) return result;
    if (Date.now() >= deadline) throw new Error("context deadline exceeded");
    await sleep(polling.intervalMs, undefined, polling.signal && { signal: polling.signal });
  }
}
