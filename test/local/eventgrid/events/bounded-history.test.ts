import { describe, expect, it } from "vitest";
import { BoundedHistory } from "../../../../local/src/eventgrid/events/bounded-history.js";
import { startShop } from "../../support/cloud.js";

describe("the history", () => {
  it("keeps the configured number of latest entries", async () => {
    const { cloud, topic, publish } = await startShop({ history: 3 });
    for (const id of ["a", "b", "c", "d", "e"]) {
      await publish({ id });
      await cloud.drain();
    }
    const kept = ["c", "d", "e"];
    expect(cloud.deliveries().flatMap(({ events }) => events.map(({ id }) => id))).toEqual(kept);
    expect(topic.events().map(({ id }) => id)).toEqual(kept);
  });

  it("is limited in bytes, but always keeps the latest entry", () => {
    const history = new BoundedHistory<string>(100, 10);
    for (const [entry, bytes] of [
      ["a", 4],
      ["b", 4],
      ["c", 4],
    ] as const) {
      history.add(entry, bytes);
    }
    expect(history.list()).toEqual(["b", "c"]);
    history.add("large", 1000);
    expect(history.list()).toEqual(["large"]);
  });

  it("keeps the order of thousands of entries", () => {
    const history = new BoundedHistory<number>(100, 1e9);
    for (let entry = 0; entry < 5000; entry++) history.add(entry, 1);
    expect(history.list()).toEqual(Array.from({ length: 100 }, (_, index) => 4900 + index));
  });
});
