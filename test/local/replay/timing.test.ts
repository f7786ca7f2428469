import { describe, expect, it } from "vitest";
import { cloudEvent, startShop } from "../support/cloud.js";
import { files, ndjson, recorded } from "../support/recording.js";

describe("replaying a recording of listen", () => {
  it("delivers the events in their order, with their ids and distances in time", async () => {
    const { cloud, webhook } = await startShop();
    const started = cloud.clock.now();
    const result = await cloud.replay(
      files({
        "a.ndjson": ndjson(recorded(0, { id: "1" }), recorded(90, { id: "3" })),
        "b.ndjson": ndjson(recorded(30, { id: "2", subject: "orders/2", source: "/till" })),
      }),
    );

    const deliveries = cloud.deliveries();
    expect(deliveries.map(({ at }) => at - started)).toEqual([0, 30_000, 90_000]);
    expect(deliveries.map(({ events }) => events[0]?.id)).toEqual(["1", "2", "3"]);
    expect(JSON.parse(webhook.deliveries[1]?.body ?? "")).toEqual(
      cloudEvent({ id: "2", subject: "orders/2", source: "/till" }),
    );
    expect(result.skipped).toEqual([]);
    expect(result.events.map(({ place }) => place.replace(/^.*\//, ""))).toEqual([
      "a.ndjson, line 1",
      "b.ndjson",
      "a.ndjson, line 2",
    ]);
  });

  it("shortens the distances by the speed, and leaves none at the speed max", async () => {
    const { cloud } = await startShop();
    const records = [recorded(0, { id: "1" }), recorded(60, { id: "2" })];
    const started = cloud.clock.now();
    await cloud.replay(records, { speed: 10 });
    expect(cloud.clock.now() - started).toBe(6_000);

    await cloud.replay(records, { speed: "max" });
    expect(cloud.clock.now() - started).toBe(6_000);
    expect(cloud.deliveries()).toHaveLength(4);
  });

  it("rejects a speed of 0", async () => {
    const { cloud } = await startShop();
    await expect(cloud.replay([cloudEvent()], { speed: 0 })).rejects.toThrow(
      'speed must be a number above 0, or "max", not 0',
    );
  });

  it("keeps the order at the speed max, however slow the service is", async () => {
    const { cloud, webhook } = await startShop({ clock: "real", stepTimeoutMs: 0 });
    const handled: string[] = [];
    let inProgress = 0;
    let mostInProgress = 0;
    webhook.answerDeliveries(async ({ body }) => {
      inProgress++;
      mostInProgress = Math.max(mostInProgress, inProgress);
      await new Promise(setImmediate);
      inProgress--;
      handled.push(JSON.parse(body).id);
      return 200;
    });
    await cloud.replay(
      ["1", "2", "3"].map((id) => recorded(Number(id) * 3600, { id })),
      { speed: "max" },
    );
    expect(handled).toEqual(["1", "2", "3"]);
    expect(mostInProgress).toBe(1);
  });

  it("accepts an event twice that the recording has twice", async () => {
    const { cloud } = await startShop();
    const { events } = await cloud.replay([recorded(0, { id: "1" }), recorded(5, { id: "1" })]);
    expect(events.map(({ event }) => event.id)).toEqual(["1", "1"]);
    expect(cloud.deliveries().map(({ attempt }) => attempt)).toEqual([1, 1]);
  });

  it("repeats a redelivery at its time and with its count, whatever the service answers", async () => {
    const { cloud, webhook } = await startShop();
    const records = [0, 47, 90].map((at, count) => recorded(at, { id: "1" }, count + 1));
    webhook.answerDeliveries(({ headers }) => (headers["aeg-delivery-count"] === "0" ? 503 : 200));
    const started = cloud.clock.now();
    const { events } = await cloud.replay(records);

    // The service fails once; Event Grid's own retry comes after 30 s, and then those recorded.
    const [delivery] = events[0]?.deliveries ?? [];
    expect(events).toHaveLength(1);
    expect(
      delivery?.attempts.map(({ at, attempt, status }) => [at - started, attempt, status]),
    ).toEqual([
      [0, 1, 503],
      [30_000, 2, 200],
      [47_000, 2, 200],
      [90_000, 3, 200],
    ]);
    expect(delivery?.outcome).toBe("delivered");
  });

  it("makes the waiting retry due instead of adding a delivery", async () => {
    const { cloud, webhook } = await startShop();
    webhook.answerDeliveries(({ headers }) => (headers["aeg-delivery-count"] === "0" ? 503 : 200));
    await cloud.replay([recorded(0, { id: "1" }), recorded(12, { id: "1" }, 2)]);
    expect(cloud.deliveries().map(({ status }) => status)).toEqual([503, 200]);
  });

  it("begins with the recorded count where the attempts before are not recorded", async () => {
    const { cloud, webhook } = await startShop();
    await cloud.replay([recorded(0, { id: "1" }, 5)]);
    expect(webhook.deliveries.map(({ headers }) => headers["aeg-delivery-count"])).toEqual(["4"]);
  });

  it("leaves out redeliveries on request", async () => {
    const { cloud } = await startShop();
    const records = [recorded(0, { id: "1" }), recorded(9, { id: "1" }, 2)];
    await cloud.replay(records, { redeliveries: false });
    expect(cloud.deliveries()).toHaveLength(1);
  });

  it("ends when its signal aborts", async () => {
    const { cloud } = await startShop({ clock: "real" });
    const abort = new AbortController();
    const records = [recorded(0, { id: "1" }), recorded(3600, { id: "2" })];
    const replay = cloud.replay(records, { signal: abort.signal });
    await expect.poll(() => cloud.deliveries().length).toBe(1);
    abort.abort();
    await expect(replay).rejects.toThrow(/abort/);
  });
});
