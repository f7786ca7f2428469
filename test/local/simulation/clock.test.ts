import { describe, expect, it } from "vitest";
import { startCloud, startShop } from "../support/cloud.js";

describe("a stepped clock", () => {
  it("fires timers in order, each at its due time", async () => {
    const { cloud, webhook, publish } = await startShop();
    const answers = [404, 500];
    webhook.answerDeliveries(() => answers.shift() ?? 200);
    await publish({ id: "slow" });
    await cloud.clock.advance({ seconds: 0 });
    await publish({ id: "quick" });
    await cloud.clock.advance({ minutes: 10 });
    const [first] = cloud.deliveries();
    expect(
      cloud.deliveries().map(({ at, events }) => [events[0]?.id, (at - (first?.at ?? 0)) / 1000]),
    ).toEqual([
      ["slow", 0],
      ["quick", 0],
      ["quick", 10],
      ["slow", 300],
    ]);
  });
});

describe("a scaled clock", () => {
  it("makes retries come in a fraction of their time", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: { scale: 1000 } });
    const answers = [500, 503];
    webhook.answerDeliveries(() => answers.shift() ?? 200);
    await publish();
    await cloud.drain();
    const [first, , third] = cloud.deliveries();
    expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(40_000);
    expect(cloud.deliveries()).toHaveLength(3);
  });

  it("leaves an endpoint real time to respond", async () => {
    const { cloud, webhook, publish } = await startShop({ clock: { scale: 100_000 } });
    webhook.answerDeliveries(() => new Promise((resolve) => setTimeout(resolve, 50, 200)));
    await publish();
    await cloud.drain();
    expect(cloud.deliveries()).toMatchObject([{ status: 200 }]);
  });
});

describe("a clock that moves by itself", () => {
  it.each([
    ["500", { status: 500 }],
    ["simulated fault", { unreachable: true }],
  ])("makes drain wait for retries up to its timeout: %s", async (reason, fault) => {
    const { cloud, publish } = await startShop({ clock: "real" });
    cloud.faults.deliveries(fault);
    await publish();
    await expect.poll(() => cloud.deliveries()).toHaveLength(1);
    await expect(cloud.drain({ within: { milliseconds: 200 } })).rejects.toMatchObject({
      code: "ERR_NOT_DRAINED",
      message: `After 200 ms 1 event is not delivered yet. The last failed attempt was for 'orders-sub': ${reason}.`,
    });
  });

  it("cannot be advanced", async () => {
    const cloud = await startCloud();
    await expect(cloud.clock.advance({ seconds: 1 })).rejects.toMatchObject({
      code: "ERR_CLOCK_NOT_STEPPED",
    });
  });
});
