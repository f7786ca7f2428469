import type { EventFilter } from "cloud-eventgrid-local";
import { describe, expect, it, onTestFinished } from "vitest";
import { compileFilter } from "../../../../local/src/eventgrid/filters/index.js";
import { publishTo, startCloud, startShop } from "../../support/cloud.js";

/* What each operator and each key does is in test/local/parity. */

/** The IDs of the events that a subscription with the filter receives. */
async function delivered(filter: EventFilter, events: Record<string, unknown>[]) {
  const { cloud, webhook, topic } = await startShop({}, { filter });
  for (const [index, event] of events.entries()) {
    await publishTo(topic, { id: String(index), ...event });
  }
  await cloud.drain();
  return webhook.deliveries.map(({ body }) => JSON.parse(body).id).sort();
}

describe("advanced filters", () => {
  const events = [
    { subject: "Red shoes", data: { size: 41 } },
    { subject: "blue hat", data: { size: 5.5 } },
  ];

  it.each<[string, NonNullable<EventFilter["advancedFilters"]>[number], string[]]>([
    ["know attributes in any case", type("Type"), ["0", "1"]],
    [
      "know names in the data in their own case only",
      { key: "Data.SIZE", operatorType: "IsNotNull" },
      [],
    ],
  ])("%s", async (_, filter, ids) => {
    expect(await delivered({ advancedFilters: [filter] }, events)).toEqual(ids);
  });

  it("match no CloudEvent by a name of the Event Grid schema, and warn once", async () => {
    // A spelling that no other test uses: a process warns once of each.
    const key = "EventTYPE";
    const warnings: string[] = [];
    const listen = ({ message }: Error) => warnings.push(message);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    expect(await delivered({ advancedFilters: [type(key)] }, events)).toEqual([]);
    expect(await delivered({ advancedFilters: [type("type")] }, events)).toEqual(["0", "1"]);
    expect(warnings.filter((each) => each.includes(key))).toEqual([
      "The filter key 'EventTYPE' is a name of the Event Grid schema, and matches no CloudEvent. Use 'type'.",
    ]);
  });

  it("do not match inherited properties", async () => {
    const filter = { key: "data.constructor", operatorType: "IsNotNull" } as const;
    expect(await delivered({ advancedFilters: [filter] }, [{ data: {} }])).toEqual([]);
  });
});

it.each<[EventFilter, string | undefined]>([
  [
    { includedEventTypes: ["PLACED"], subjectBeginsWith: "ORDERS/", subjectEndsWith: "7" },
    undefined,
  ],
  [{ includedEventTypes: ["All"], advancedFilters: [] }, undefined],
  [{ includedEventTypes: ["paid"] }, "includedEventTypes"],
  [{ isSubjectCaseSensitive: true, subjectBeginsWith: "ORDERS/" }, 'subjectBeginsWith "ORDERS/"'],
  [{ subjectEndsWith: "8" }, 'subjectEndsWith "8"'],
  [
    { advancedFilters: [{ key: "data.n", operatorType: "NumberIn", values: [1, 2] }] },
    "data.n NumberIn [1,2]",
  ],
  [
    { advancedFilters: [{ key: "data.n", operatorType: "NumberGreaterThan", value: 3 }] },
    "data.n NumberGreaterThan 3",
  ],
  [
    { advancedFilters: [{ key: "data.n", operatorType: "IsNullOrUndefined" }] },
    "data.n IsNullOrUndefined",
  ],
])("the filter %j keeps an event out by %s", (filter, reason) => {
  const event = Object({ type: "placed", subject: "orders/17" });
  expect(compileFilter(filter)(event, { ...event, data: { n: 3 } })).toBe(reason);
});

describe("an invalid filter", () => {
  const createWith = async (filter: EventFilter) => {
    const cloud = await startCloud();
    const topic = cloud.topics.create({ name: "orders" });
    const endpointUrl = "https://orders.example.com/";
    await cloud.eventSubscriptions.create({ name: "sub", scope: topic.id, endpointUrl, filter });
  };

  it.each([
    [{ key: "data.a", operatorType: "StringLike" }, ".operatorType must be one of 'BoolEquals', "],
    [{ key: "data.a", operatorType: "toString" }, ".operatorType must be one of 'BoolEquals', "],
    [
      { key: "data.a", operatorType: "StringIn", values: [7] },
      ".values[0] must be a string, not 7",
    ],
    [{ key: "", operatorType: "StringIn", values: ["a"] }, " is invalid: it has no key"],
    [{ key: "a", operatorType: "StringIn", values: [] }, " is invalid: StringIn needs a value"],
    [
      { key: "data.a", operatorType: "NumberInRange", values: [[1]] },
      " is invalid: NumberInRange compares with pairs of numbers, the smaller one first, not [1]",
    ],
    [
      { key: "data.a", operatorType: "NumberInRange", values: [[1, "2"]] },
      '.values[0][1] must be a number, not "2"',
    ],
  ])("is refused with %j", async (condition, problem) => {
    const fromJson: EventFilter = JSON.parse(JSON.stringify({ advancedFilters: [condition] }));
    const error = await createWith(fromJson).catch(String);
    expect(error).toContain(`advancedFilters[0]${problem}`);
  });
});

it("the type All, which older clients write, lets every type pass", async () => {
  const events = [{ type: "shop.order.placed" }, { type: "shop.order.paid" }];
  expect(await delivered({ includedEventTypes: ["All"] }, events)).toEqual(["0", "1"]);
  expect(await delivered({ includedEventTypes: ["shop.order.PAID"] }, events)).toEqual(["1"]);
});

it("two subscriptions of a topic get the events that their filters match", async () => {
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

function type(key: string) {
  return { key, operatorType: "StringIn", values: ["shop.order.placed"] } as const;
}
