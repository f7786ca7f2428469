import type { Outcome } from "../handling/index.js";
import type { Settlement } from "./queue/index.js";

/** When an event is delivered again that another delivery is still handling. */
const IN_PROGRESS_DELAY_S = 10;

/**
 * What is done with an event whose handling ended like this.
 *
 * @param deliveryCount number of deliveries before this one
 * @param retryDelaysSeconds by attempt; the last one repeats
 */
export function settlementOf(
  outcome: Outcome,
  deliveryCount: number,
  retryDelaysSeconds: readonly number[],
): Settlement {
  switch (outcome) {
    case "handled":
    case "duplicate":
    case "unhandled":
      return { operation: "acknowledge" };
    case "rejected":
    case "malformed":
      return { operation: "reject" };
    case "in-progress":
      return { operation: "release", delaySeconds: IN_PROGRESS_DELAY_S };
    case "timed-out":
      return { operation: "release", delaySeconds: 0 };
    case "failed":
    case "deferred": {
      const delaySeconds = retryDelaysSeconds[deliveryCount] ?? retryDelaysSeconds.at(-1) ?? 0;
      return { operation: "release", delaySeconds };
    }
  }
}
