import type { EventFilter } from "cloud-eventgrid-local";
import { describe, expect, it } from "vitest";
import { publishTo, startCloud, startShop } from "../../support/cloud.js";

const TOPIC_ID =
  "/subscriptions/22222222-2222-4222-8222-222222222222/resourceGroups/local/providers/Microsoft.EventGrid/topics/orders";

/** The IDs of the events that a subscription with the filter receives. */
async function delivered(filter: EventFilter, events: Record<string, unknown>[]) {
  const { cloud, webhook, topic } = await startShop({}, { filter });
  for (const [index, event] of events.entries()) {
    await publishTo(topic, { id: String(index), ...event });
  }
  await cloud.drain();
  return webhook.deliveries.map(({ body }) => JSON.parse(body).id).sort();
}

describe("the filter of event types", () => {
  it("matches the listed types case-insensitively", async () => {
    const events = [{ type: "A.one" }, { type: "a.ONE" }, { type: "A.one.more" }, { type: "b" }];
    expect(await delivered({ includedEventTypes: ["a.one"] }, events)).toEqual(["0", "1"]);
    expect(await delivered({ includedEventTypes: ["All"] }, events)).toHaveLength(4);
    expect(await delivered({ includedEventTypes: [] }, events)).toHaveLength(4);
  });
});

describe("the filter of subjects", () => {
  const events = [{ subject: "Orders/1.json" }, { subject: "orders/2.txt" }, { subject: "x" }, {}];

  it("compares beginning and end case-insensitively", async () => {
    expect(await delivered({ subjectBeginsWith: "orders/" }, events)).toEqual(["0", "1"]);
    expect(await delivered({ subjectEndsWith: ".JSON" }, events)).toEqual(["0"]);
  });

  it("compares case-sensitively with isSubjectCaseSensitive", async () => {
    const filter = { subjectBeginsWith: "orders/", isSubjectCaseSensitive: true };
    expect(await delivered(filter, events)).toEqual(["1"]);
  });
});

describe("advanced filters", () => {
  const events = [
    { subject: "Red shoes", data: { size: 41, sold: true, shop: { city: "Bern" } } },
    { subject: "blue hat", data: { size: 5.5, sold: false, shop: { city: "Basel" } } },
    { data: { size: "41", sold: null, shop: "Bern" } },
    { data: { size: [41, 7], colours: ["Red", "green"] } },
    { subject: "nothing" },
  ];

  it.each<[string, NonNullable<EventFilter["advancedFilters"]>[number], string[]]>([
    ["NumberGreaterThan", n("NumberGreaterThan", 5.5), ["0"]],
    ["NumberGreaterThanOrEquals", n("NumberGreaterThanOrEquals", 5.5), ["0", "1"]],
    ["NumberLessThan", n("NumberLessThan", 41), ["1"]],
    ["NumberLessThanOrEquals", n("NumberLessThanOrEquals", 41), ["0", "1"]],
    ["NumberIn", { key: "data.size", operatorType: "NumberIn", values: [7, 41] }, ["0"]],
    [
      "NumberNotIn, which a missing key passes",
      { key: "data.size", operatorType: "NumberNotIn", values: [41] },
      ["1", "2", "3", "4"],
    ],
    [
      "NumberInRange, both ends included",
      {
        key: "data.size",
        operatorType: "NumberInRange",
        values: [
          [5.5, 6],
          [100, 200],
        ],
      },
      ["1"],
    ],
    [
      "NumberNotInRange",
      { key: "data.size", operatorType: "NumberNotInRange", values: [[40, 41]] },
      ["1", "2", "3", "4"],
    ],
    ["BoolEquals", { key: "data.sold", operatorType: "BoolEquals", value: false }, ["1"]],
    ["StringIn", s("StringIn", "bern", "Genf"), ["0"]],
    ["StringNotIn, which a missing key passes", s("StringNotIn", "BERN"), ["1", "2", "3", "4"]],
    ["StringContains", s("StringContains", "as"), ["1"]],
    ["StringNotContains", s("StringNotContains", "as"), ["0"]],
    ["StringBeginsWith", s("StringBeginsWith", "ba", "zu"), ["1"]],
    ["StringNotBeginsWith", s("StringNotBeginsWith", "be"), ["1"]],
    ["StringEndsWith", s("StringEndsWith", "RN"), ["0"]],
    ["StringNotEndsWith", s("StringNotEndsWith", "rn"), ["1"]],
    ["IsNullOrUndefined", { key: "data.sold", operatorType: "IsNullOrUndefined" }, ["2", "3", "4"]],
    ["IsNotNull", { key: "data.sold", operatorType: "IsNotNull" }, ["0", "1"]],
    [
      "attributes are keys too",
      { key: "subject", operatorType: "StringBeginsWith", values: ["red"] },
      ["0"],
    ],
    ["the type by its older name", type("eventType"), ["0", "1", "2", "3", "4"]],
    ["attributes in any case", type("Type"), ["0", "1", "2", "3", "4"]],
    [
      "attributes in any case, but names in the data in their own",
      { key: "Data.SIZE", operatorType: "IsNotNull" },
      [],
    ],
  ])("%s", async (_, filter, ids) => {
    expect(await delivered({ advancedFilters: [filter] }, events)).toEqual(ids);
  });

  it.each([
    ["ID", "1"],
    ["Topic", TOPIC_ID],
    ["Subject", "orders/1"],
    ["EventType", "placed"],
    ["DataVersion", "2.0"],
    ["Data.Shop", "bern"],
  ])("compare the key %s of the Event Grid schema", async (key, value) => {
    const cloud = await startCloud({ clock: "stepped" });
    const topic = cloud.topics.create({ name: "orders", inputSchema: "EventGridSchema" });
    await cloud.eventSubscriptions.create({
      name: "orders-sub",
      scope: topic.id,
      destination: { type: "StorageQueue", queue: "orders" },
      filter: { advancedFilters: [{ key, operatorType: "StringIn", values: [value] }] },
    });
    const event = { subject: "orders/1", eventType: "placed", dataVersion: "2.0" };
    const eventTime = "2026-01-31T00:00:00Z";
    await fetch(topic.endpoint, {
      method: "POST",
      headers: { "aeg-sas-key": topic.accessKey, "content-type": "application/json" },
      body: JSON.stringify([{ ...event, id: "1", eventTime, data: { Shop: "Bern" } }]),
    });
    await cloud.drain();
    expect(cloud.messages()).toHaveLength(1);
  });

  it("must all match", async () => {
    const advancedFilters = [n("NumberGreaterThan", 1), s("StringIn", "Basel")];
    expect(await delivered({ advancedFilters }, events)).toEqual(["1"]);
  });

  it("compare elements of arrays with enableAdvancedFilteringOnArrays", async () => {
    const arrays = (filter: NonNullable<EventFilter["advancedFilters"]>[number]) =>
      delivered({ advancedFilters: [filter], enableAdvancedFilteringOnArrays: true }, events);
    expect(await arrays(n("NumberLessThan", 41))).toEqual(["1", "3"]);
    const red = ["red"];
    expect(await arrays({ key: "data.colours", operatorType: "StringIn", values: red })).toEqual([
      "3",
    ]);
    expect(await arrays({ key: "data.colours", operatorType: "StringNotIn", values: red })).toEqual(
      ["0", "1", "2", "4"],
    );
  });

  it("do not match inherited properties", async () => {
    const filter = { key: "data.constructor", operatorType: "IsNotNull" } as const;
    expect(await delivered({ advancedFilters: [filter] }, [{ data: {} }])).toEqual([]);
  });
});

describe("an invalid filter", () => {
  const createWith = async (filter: EventFilter) => {
    const cloud = await startCloud();
    const topic = cloud.topics.create({ name: "orders" });
    const endpointUrl = "https://orders.example.com/";
    await cloud.eventSubscriptions.create({ name: "sub", scope: topic.id, endpointUrl, filter });
  };

  it("is refused with more than 25 values", async () => {
    const values = Array.from({ length: 13 }, (_, index) => index);
    const filter = { key: "data.a", operatorType: "NumberIn", values } as const;
    await expect(createWith({ advancedFilters: [filter, filter] })).rejects.toThrow(
      "Advanced filters may have 25 values in total, not 26.",
    );
  });

  it("is refused with every invalid operator, key and value", async () => {
    const fromJson: EventFilter = JSON.parse(`{ "advancedFilters": [
      { "key": "data.a", "operatorType": "StringLike", "values": ["a"] },
      { "key": "", "operatorType": "StringIn", "values": ["a"] },
      { "key": "data.a", "operatorType": "StringIn", "values": [] },
      { "key": "data.a", "operatorType": "NumberInRange", "values": [[1]] },
      { "key": "data.a", "operatorType": "toString", "values": ["a"] }
    ] }`);
    const error = await createWith(fromJson).catch(String);
    expect(error).toContain("advancedFilters[0] is invalid: the operator 'StringLike' is unknown");
    expect(error).toContain("advancedFilters[1] is invalid: it has no key.");
    expect(error).toContain("advancedFilters[2] is invalid: StringIn needs a value.");
    expect(error).toContain(
      "advancedFilters[3] is invalid: NumberInRange compares with pairs of numbers, not [1].",
    );
    expect(error).toContain("advancedFilters[4] is invalid: the operator 'toString' is unknown");
  });
});

describe("two subscriptions of a topic", () => {
  it("get the events that their filters match", async () => {
    const { cloud, webhook, topic } = await startShop({}, { filter: { subjectEndsWith: "a" } });
    await cloud.eventSubscriptions.create({
      name: "second",
      scope: topic.id.toUpperCase().replace("/SUBSCRIPTIONS", "/subscriptions"),
      endpointUrl: "https://orders.example.com/second",
    });
    await publishTo(topic, { subject: "a" });
    await publishTo(topic, { subject: "b" });
    await cloud.drain();
    expect(
      webhook.deliveries.map(({ path, body }) => [path, JSON.parse(body).subject]).sort(),
    ).toEqual([
      ["/api/events", "a"],
      ["/second", "a"],
      ["/second", "b"],
    ]);
  });
});

function n(
  operatorType:
    | "NumberGreaterThan"
    | "NumberGreaterThanOrEquals"
    | "NumberLessThan"
    | "NumberLessThanOrEquals",
  value: number,
) {
  return { key: "data.size", operatorType, value };
}

function s<Operator extends `String${string}`>(operatorType: Operator, ...values: string[]) {
  return { key: "data.shop.city", operatorType, values };
}

function type(key: string) {
  return { key, operatorType: "StringIn", values: ["shop.order.placed"] } as const;
}
