import { describe, expect, it } from "vitest";
import { Draining } from "../../../../runtime/src/listener/intake/draining.js";

describe("a drain", () => {
  it("waits for deliveries in flight, but no longer than the timeout", async () => {
    const draining = new Draining();
    draining.enter();
    await draining.drain(0, 20);
    expect(draining.isRefusing).toBe(true);

    const other = new Draining();
    other.enter();
    const drained = other.drain(0, 600_000);
    other.leave();
    await drained;
  });

  it("resolves at once when nothing is in flight", async () => {
    await new Draining().drain(0, 600_000);
  });
});
