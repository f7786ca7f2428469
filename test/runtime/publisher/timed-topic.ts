import { beforeEach } from "vitest";
import { ManualClock } from "../../support/manual-clock.js";
import { publisherWith, startTopic, type TimedOptions } from "./harness.js";

/** The topic of a file's tests. Its publishers use a clock that only the test moves. */
export const topic = await startTopic();

/** A new one for each test. */
export let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock();
});

export const order = { type: "shop.order.placed", id: "a", data: 1 };

/** Without jitter the first wait is half of `firstDelayMs`, 125 ms. */
export const publisher = (options: TimedOptions = {}, random = () => 0) =>
  publisherWith({ random }, topic.binding, { clock, ...options });
