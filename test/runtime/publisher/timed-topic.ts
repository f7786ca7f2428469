import { beforeEach } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { publisherWith, startTopic, type TimedOptions } from "./harness.js";

export const order = { type: "shop.order.placed", id: "a", data: 1 };

/** The topic of a file's tests. Its publishers use a clock that only the test moves. */
export async function startTimedTopic() {
  const topic = await startTopic();
  let clock = new ManualClock();
  beforeEach(() => {
    clock = new ManualClock();
  });
  return {
    topic,
    /** A new one for each test. */
    get clock() {
      return clock;
    },
    /** Without jitter the first wait is half of `firstDelayMs`, 125 ms. */
    publisher: (options: TimedOptions = {}, random = () => 0) =>
      publisherWith({ random }, topic.binding, { clock, ...options }),
  };
}
