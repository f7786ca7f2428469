import { setTimeout as sleep } from "node:timers/promises";

/** How patiently a stand-in waits for the cloud, in milliseconds. */
export interface Pace {
  /** Between two looks at something that is still going on. */
  readonly interval: number;
  /** Until it gives up. The real providers wait up to thirty minutes. */
  readonly patience: number;
  /** Ends all waiting at once. */
  readonly signal?: AbortSignal;
}

/**
 * Looks again and again until `look` has a result.
 *
 * @throws in Go's words, which users of the real providers know, when the patience is at its end.
 */
export async function eventually<Result>(
  pace: Pace,
  look: () => Promise<Result | undefined>,
): Promise<Result> {
  const deadline = Date.now() + pace.patience;
  for (;;) {
    const result = await look();
    if (result !== undefined) return result;
    if (Date.now() >= deadline) throw new Error("context deadline exceeded");
    await sleep(pace.interval, undefined, pace.signal && { signal: pace.signal });
  }
}
