import { describe, expect, it } from "vitest";
import { Draining } from "../../../../runtime/src/listener/in-flight.js";
import { ManualClock } from "../../../support/manual-clock.js";

describe("a drain", () => {
  it("waits for deliveries in flight, but no longer than the timeout", async () => {
    const timer = new ManualClock();
    const draining = new Draining(timer);
    draining.enter();
    const timedOut = draining.drain(0, 20_000);
    await timer.pass(20_000);
    await timedOut;
    expect(draining.isRefusing).toBe(true);

    const other = new Draining(timer);
    other.enter();
    const drained = other.drain(0, 20_000);
    await timer.whenScheduled(20_000);
    other.leave();
    await drained;
  });
});
