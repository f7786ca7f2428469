import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../support/project.js";
import { cloudEvent, PUBLIC_URL, startCloud, startShop } from "../support/cloud.js";
import { emptyDirectory } from "../support/command.js";

const START = Date.parse("2026-11-21T08:00:00Z");

/** A record as `cloud-eventgrid listen --record` writes it, so many seconds after the start. */
function recorded(seconds: number, event: object, deliveryCount = 1) {
  const time = new Date(START + seconds * 1000).toISOString();
  return { recorded: "cloud-eventgrid/1", time, event: cloudEvent({ ...event }), deliveryCount };
}

function ndjson(...records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

/** Writes files into an empty directory, and returns their paths. */
function files(contents: Readonly<Record<string, string>>): string[] {
  const directory = emptyDirectory();
  return Object.entries(contents).map(([name, content]) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  });
}

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
    expect(cloud.deliveries().map(({ deliveryCount }) => deliveryCount)).toEqual([0, 0]);
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
      delivery?.attempts.map(({ at, deliveryCount, status }) => [
        at - started,
        deliveryCount,
        status,
      ]),
    ).toEqual([
      [0, 0, 503],
      [30_000, 1, 200],
      [47_000, 1, 200],
      [90_000, 2, 200],
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
});

it("replays the recording in the documentation of listen", async () => {
  const page = readFileSync(join(root, "docs/command-line/listen.md"), "utf8");
  const [line = ""] = /^\{"recorded":.*$/m.exec(page) ?? [];
  const { cloud } = await startShop();
  const { events, skipped } = await cloud.replay(files({ "incident.ndjson": `${line}\n` }));
  expect(skipped).toEqual([]);
  expect(events[0]?.deliveries).toMatchObject([
    { outcome: "delivered", attempts: [{ deliveryCount: 0 }] },
  ]);
});

describe("the result of a replay", () => {
  it("says what the service answered to each event", async () => {
    const { cloud, webhook, topic } = await startShop(
      {},
      { deadLetter: { container: "dead" }, filter: { subjectBeginsWith: "orders/" } },
    );
    await cloud.eventSubscriptions.create({
      name: "paid-only",
      scope: topic.id,
      endpointUrl: PUBLIC_URL,
      filter: { includedEventTypes: ["shop.order.paid"] },
    });
    webhook.answerDeliveries(({ body, headers }) => {
      const { id } = JSON.parse(body);
      if (id === "rejected") return 400;
      return id === "late" && headers["aeg-delivery-count"] === "0" ? 503 : 200;
    });
    const { events } = await cloud.replay([
      cloudEvent({ id: "ok", subject: "orders/1" }),
      cloudEvent({ id: "late", subject: "orders/2" }),
      cloudEvent({ id: "rejected", subject: "orders/3" }),
      cloudEvent({ id: "other", subject: "parcels/4", type: "shop.order.paid" }),
    ]);

    const outcomes = events.map(({ event, deliveries }) => [
      event.id,
      ...deliveries.map(({ subscription, outcome, attempts, reason }) => [
        subscription,
        outcome,
        attempts.map(({ status }) => status),
        reason,
      ]),
    ]);
    const notPaid = ["paid-only", "filtered", [], "includedEventTypes"];
    expect(outcomes).toEqual([
      ["ok", ["orders-sub", "delivered", [200], undefined], notPaid],
      ["late", ["orders-sub", "delivered", [503, 200], undefined], notPaid],
      [
        "rejected",
        ["orders-sub", "deadLettered", [400], "UndeliverableDueToHttpBadRequest"],
        notPaid,
      ],
      [
        "other",
        ["orders-sub", "filtered", [], 'subjectBeginsWith "orders/"'],
        ["paid-only", "delivered", [200], undefined],
      ],
    ]);
  });

  it("has the first answers on a clock that runs, without waiting for retries", async () => {
    const { cloud, webhook } = await startShop({ clock: "real" });
    webhook.answerDeliveries(() => 503);
    const { events } = await cloud.replay([cloudEvent()]);
    expect(events[0]?.deliveries).toMatchObject([{ outcome: "retrying", status: 503 }]);
  });

  it("names every record that it skips by its line or index", async () => {
    const { cloud, topic } = await startShop();
    const [lines = "", array = ""] = files({
      "lines.ndjson": `${ndjson(recorded(0, { id: "1" }))}{"recorded":"cloud-ev\n\n${ndjson(
        { recorded: "cloud-eventgrid/9" },
        recorded(0, { id: "" }),
        { recorded: "cloud-eventgrid/1", time: "yesterday", event: cloudEvent() },
        { recorded: "cloud-eventgrid/1", event: cloudEvent(), deliveryCount: 0 },
      )}`,
      "array.json": JSON.stringify([cloudEvent(), 17, { hello: "world" }]),
    });
    const { events, skipped } = await cloud.replay([lines, array], { topic: topic.name });
    expect(events).toHaveLength(2);
    expect(skipped).toEqual([
      { place: `${lines}, line 2`, problem: "it is not JSON" },
      {
        place: `${lines}, line 4`,
        problem: "its format is 'cloud-eventgrid/9', but this version reads 'cloud-eventgrid/1'",
      },
      { place: `${lines}, line 5`, problem: "the required attribute 'id' is missing or empty" },
      { place: `${lines}, line 6`, problem: "time must be an ISO 8601 time, not 'yesterday'" },
      {
        place: `${lines}, line 7`,
        problem: "deliveryCount must be a whole number, 1 or more, not '0'",
      },
      { place: `${array}, index 1`, problem: "it is not a JSON object" },
      { place: `${array}, index 2`, problem: expect.stringMatching(/^it is neither a CloudEvent/) },
    ]);
  });

  it("rejects when there is nothing to replay", async () => {
    const { cloud } = await startShop();
    const [empty = "", text = ""] = files({ "empty.json": "[]", "notes.txt": "hello" });
    await expect(cloud.replay(empty)).rejects.toMatchObject({
      code: "ERR_REPLAY",
      message: "There is no event to replay.",
    });
    await expect(cloud.replay(text)).rejects.toThrow(
      `${text}: it is neither JSON nor lines of JSON`,
    );
    await expect(cloud.replay([`${text}1`, `${text}2`])).rejects.toThrow(
      /^.*notes.txt1 cannot be read: ENOENT.*\n.*notes.txt2 cannot/,
    );
    await expect(cloud.replay([cloudEvent()], { speed: 0 })).rejects.toThrow(
      'speed must be a number above 0, or "max", not 0',
    );
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

describe("dead letters", () => {
  it("are replayed as they were published, from the files of the local Azure", async () => {
    const directory = emptyDirectory();
    const { cloud, webhook, topic, publish } = await startShop(
      { deadLetterDirectory: directory },
      { deadLetter: { container: "dead" } },
    );
    webhook.answerDeliveries(() => 400);
    // A number that JavaScript would round keeps its digits.
    await fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/cloudevents+json" },
      body: '{"specversion":"1.0","id":"1","source":"/shop","type":"shop.order.placed","data":12345678901234567890}',
    });
    await cloud.drain();
    await cloud.clock.advance({ minutes: 5 });
    await publish({ id: "2" });
    await cloud.drain();
    webhook.answerDeliveries(() => 200);
    const started = cloud.clock.now();
    const { events, skipped } = await cloud.replay(directory);

    expect(skipped).toEqual([]);
    expect(events.map(({ event, deliveries }) => [event.id, deliveries[0]?.outcome])).toEqual([
      ["1", "delivered"],
      ["2", "delivered"],
    ]);
    expect(webhook.deliveries.slice(-2).map(({ body }) => body)).toEqual([
      '{"specversion":"1.0","id":"1","source":"/shop","type":"shop.order.placed","data":12345678901234567890}',
      JSON.stringify(cloudEvent({ id: "2" })),
    ]);
    expect(cloud.clock.now() - started).toBe(5 * 60_000);
  });

  it("are read in both schemas, and in the form of namespaces", async () => {
    const { cloud, webhook, topic } = await startShop();
    const dead = {
      deadLetterReason: "MaxDeliveryAttemptsExceeded",
      deliveryAttempts: 30,
      lastDeliveryOutcome: "Busy",
      publishTime: "2026-11-21T08:00:00Z",
      lastDeliveryAttemptTime: "2026-11-22T08:00:00Z",
    };
    const eventGrid = {
      topic: "/subscriptions/1/resourceGroups/shop/providers/Microsoft.EventGrid/topics/orders",
      id: "1",
      subject: "orders/1",
      eventType: "shop.order.placed",
      eventTime: "2026-11-21T08:00:00Z",
      dataVersion: "",
      metadataVersion: "1",
      data: {},
    };
    const [basic = "", namespace = ""] = files({
      "basic.json": JSON.stringify([
        { ...eventGrid, ...dead },
        // Without specversion, as in Microsoft's example.
        {
          id: "2",
          source: "/shop",
          type: "shop.order.placed",
          deadletterreason: "TimeToLiveExceeded",
        },
      ]),
      "namespace.json": JSON.stringify([
        {
          deadLetterProperties: {
            deadletterreason: "Maximum delivery attempts was exceeded.",
            deliveryattempts: 10,
            deliveryresult: "Busy",
            publishutc: "2026-11-21T08:00:01Z",
            deliveryattemptutc: "2026-11-21T09:00:01Z",
          },
          event: cloudEvent({ id: "3" }),
        },
      ]),
    });
    const { events } = await cloud.replay([basic, namespace], { topic: topic.name });
    expect(events.map(({ event }) => event.id)).toEqual(["1", "2", "3"]);
    expect(webhook.deliveries.map(({ body }) => JSON.parse(body))).toEqual([
      expect.objectContaining({ id: "1", source: eventGrid.topic, subject: "orders/1" }),
      { specversion: "1.0", id: "2", source: "/shop", type: "shop.order.placed" },
      cloudEvent({ id: "3" }),
    ]);
  });
});

describe("the target of a replayed event", () => {
  it("is the topic that its source names, in any Azure subscription", async () => {
    const { cloud } = await startShop();
    cloud.topics.create({ name: "returns" });
    const source =
      "/subscriptions/1/resourceGroups/prod/providers/Microsoft.EventGrid/topics/Returns";
    const { events } = await cloud.replay([cloudEvent({ source })]);
    expect(events).toMatchObject([{ topic: "returns", deliveries: [] }]);
  });

  it("is the only topic, and has to be chosen among several", async () => {
    const { cloud } = await startShop();
    expect((await cloud.replay([cloudEvent()])).events[0]?.topic).toBe("orders");
    cloud.topics.create({ name: "returns" });
    await expect(cloud.replay([cloudEvent()])).rejects.toThrow(
      "The recording does not say which topic gets its events, for example that of events, index 0. Choose a topic (orders, returns), or an event subscription.",
    );
    await expect(cloud.replay([cloudEvent()], { topic: "orderz" })).rejects.toThrow(
      "There is no topic, domain or namespace topic 'orderz'.",
    );
    const { events } = await cloud.replay([cloudEvent()], { topic: "returns" });
    expect(events[0]?.topic).toBe("returns");
  });

  it("is one event subscription, whether or not its filter matches", async () => {
    const { cloud } = await startShop({}, { filter: { subjectBeginsWith: "parcels/" } });
    const { events } = await cloud.replay([cloudEvent()], { subscription: "orders-sub" });
    expect(events[0]?.deliveries).toMatchObject([{ outcome: "delivered", status: 200 }]);
    await expect(cloud.replay([cloudEvent()], { subscription: "other" })).rejects.toThrow(
      "There is no event subscription 'other' that gets events.",
    );
  });

  it("is the source of an event of an Azure service, in the subscription of the cloud", async () => {
    const { cloud, webhook } = await startShop();
    const account = "resourceGroups/shop/providers/Microsoft.Storage/storageAccounts/orders";
    await cloud.eventSubscriptions.create({
      name: "blobs",
      scope: `/subscriptions/${cloud.subscriptionId}/resourceGroups/shop`,
      endpointUrl: PUBLIC_URL,
    });
    const source = `/subscriptions/b1b1/${account}`;
    const event = cloudEvent({ source, type: "Microsoft.Storage.BlobCreated" });
    const { events } = await cloud.replay([event]);
    expect(events).toMatchObject([
      { topic: undefined, deliveries: [{ subscription: "blobs", outcome: "delivered" }] },
    ]);
    expect(JSON.parse(webhook.deliveries[0]?.body ?? "")).toMatchObject({ source });
  });

  it("is the topic of a domain", async () => {
    const { cloud } = await startShop();
    const domain = cloud.domains.create({ name: "shop" });
    await cloud.eventSubscriptions.create({
      name: "returns",
      scope: `${domain.id}/topics/returns`,
      endpointUrl: PUBLIC_URL,
    });
    const { events } = await cloud.replay([cloudEvent({ source: "returns" })], { topic: "shop" });
    expect(events[0]?.deliveries).toMatchObject([{ subscription: "returns" }]);
  });

  it("is the topic of a namespace, whose receivers get the event", async () => {
    const cloud = await startCloud({ clock: "stepped" });
    const namespace = cloud.namespaces.create({ name: "shop" });
    const topic = namespace.topics.create({ name: "orders" });
    const queue = await topic.subscriptions.create({ name: "warehouse" });
    const { events, skipped } = await cloud.replay([
      cloudEvent({ data: {} }),
      cloudEvent({ id: "2" }),
    ]);
    expect(skipped).toEqual([
      { place: "events, index 1", problem: "'data' attribute is required" },
    ]);
    expect(events[0]?.deliveries).toMatchObject([{ outcome: "pending" }]);
    expect((await queue.receive()).map(({ event }) => event.id)).toEqual(["1"]);
  });
});
