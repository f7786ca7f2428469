import { describe, expect, it } from "vitest";
import { publisherWith, startTopic } from "./harness.js";

const topic = await startTopic();

const NOON = Date.UTC(2026, 0, 2, 12, 0, 0);

/** A publisher with predictable IDs and times. */
function publisher() {
  let last = 0;
  const clock = { now: () => NOON, schedule: () => () => {} };
  return publisherWith({ newId: () => `id-${++last}` }, topic.binding, { clock });
}

describe("create", () => {
  it("adds the envelope to an event", async () => {
    await publisher().create({
      type: "shop.order.placed",
      subject: "orders/17",
      data: { orderId: "17" },
    });

    expect(topic.requests[0]?.body).toBe(
      '[{"specversion":"1.0","id":"id-1","source":"orders",' +
        '"time":"2026-01-02T12:00:00.000Z","datacontenttype":"application/json",' +
        '"type":"shop.order.placed","subject":"orders/17","data":{"orderId":"17"}}]',
    );
  });

  it("resolves with the IDs of the events, in the order of the arguments", async () => {
    const ids = await publisher().create([
      { type: "shop.order.placed", data: 1 },
      { type: "shop.order.placed", id: "own", data: 2 },
      { type: "shop.order.placed", data: 3 },
    ]);

    expect(ids).toEqual(["id-1", "own", "id-2"]);
    expect(topic.requests.map(({ events }) => events.map(({ data }) => data))).toEqual([[1, 2, 3]]);
  });

  it("sends a complete CloudEvent unchanged", async () => {
    await publisher().create({
      specversion: "1.0",
      id: "a-1",
      source: "/shop",
      type: "shop.order.placed",
      priority: 3,
      data: "text",
    });

    expect(topic.requests[0]?.body).toBe(
      '[{"specversion":"1.0","id":"a-1","source":"/shop","type":"shop.order.placed","priority":3,"data":"text"}]',
    );
  });

  it("sends nothing for an empty array", async () => {
    expect(await publisher().create([])).toEqual([]);
    expect(topic.requests).toEqual([]);
  });
});
