import { describe, expect, it } from "vitest";
import { ACCEPTED, ACCESS_KEY } from "../../support/topic-server.js";
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
  it("posts to the topic's endpoint in the form that Event Grid requires", async () => {
    await publisher().create({ type: "shop.order.placed", data: { orderId: "17" } });

    expect(topic.requests).toHaveLength(1);
    const [request] = topic.requests;
    expect(request?.method).toBe("POST");
    expect(request?.url).toBe("/api/events?api-version=2018-01-01");
    expect(request?.headers).toMatchObject({
      "content-type": "application/cloudevents-batch+json; charset=utf-8",
      "aeg-sas-key": ACCESS_KEY,
    });
    expect(request?.headers["transfer-encoding"]).toBeUndefined();
  });

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

  it("resolves only when the topic has responded", async () => {
    let accept: (() => void) | undefined;
    const arrived = new Promise<void>((arrive) => {
      topic.answer = () => {
        arrive();
        return new Promise((resolve) => {
          accept = () => resolve(ACCEPTED);
        });
      };
    });
    let resolved = false;
    const created = publisher()
      .create({ type: "shop.order.placed", data: 1 })
      .then(() => {
        resolved = true;
      });

    await arrived;
    expect(resolved).toBe(false);
    accept?.();
    await created;
    expect(resolved).toBe(true);
  });
});
