import { expect, it } from "vitest";
import { monotonicClock } from "../../runtime/src/time.js";

it("a timer keeps the process alive only if it is asked to", () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const cancels = [monotonicClock.schedule(60_000, () => {})];
  expect(timers()).toBe(before);
  cancels.push(monotonicClock.schedule(60_000, () => {}, true));
  expect(timers()).toBe(before + 1);
  for (const cancel of cancels) cancel();
  expect(timers()).toBe(before);
});
