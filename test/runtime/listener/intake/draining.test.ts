import { describe, expect, it } from "vitest";
import { Draining } from "../../../../runtime/src/listener/intake/draining.js";

describe("what is in flight when the end begins", () => {
  it("is waited for, but not longer than the patience with it", async () => {
    const draining = new Draining();
    draining.enter();
    await draining.drain(0, 20);
    expect(draining.isRefusing).toBe(true);

    const patient = new Draining();
    patient.enter();
    const drained = patient.drain(0, 600_000);
    patient.leave();
    await drained;
  });

  it("is not waited for where there is nothing", async () => {
    await new Draining().drain(0, 600_000);
  });
});
