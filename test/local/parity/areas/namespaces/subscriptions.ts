import type { FilterCondition, NewNamespaceSubscription } from "cloud-eventgrid-local";
import type { Area, Row } from "../../row.js";
import { statusOf } from "../../stage.js";
import { DEAD_LETTERS, MODEL, Opened, open, page, RETRIES, row, setting } from "./opened.js";

const FILTERS = page(
  "create-view-manage-event-subscriptions",
  "Event subscriptions of namespace topics",
);
const PUSH_REFERENCE = page("monitor-namespace-push-reference", "Metrics of push delivery");

/** Which of the events, by their IDs, pass the filters. */
function passes(
  input: string,
  filters: readonly FilterCondition[],
  events: Readonly<Record<string, object>>,
  result: readonly string[],
  others: NewNamespaceSubscription["filter"] = {},
): Row {
  return row(
    FILTERS,
    input,
    `selects ${result.join(", ")} of ${Object.keys(events).join(", ")}`,
    result,
    async (opened) => {
      for (const [id, attributes] of Object.entries(events))
        await opened.publish({ id, ...attributes });
      return (await opened.queue.receive({ maxEvents: 10 })).map(({ event }) => event.id);
    },
    { filter: { filters, ...others } },
  );
}

const condition = (operatorType: string, operand: object = {}, key = "price") =>
  ({ key, operatorType, ...operand }) as FilterCondition;

const prices = { cheap: { price: 1 }, dear: { price: 10 }, free: {} };

/** Which of the prices an operator selects. */
const onPrice = (operator: string, operand: object, result: string[], note = "") =>
  passes(`\`${operator}\`${note}`, [condition(operator, operand)], prices, result);

const subjects = {
  order: { subject: "Orders/1.json" },
  parcel: { subject: "parcels/1.xml" },
  none: {},
};

/** Which of the subjects an operator selects. */
const onSubject = (input: string, operator: string, value: string, result: string[]) =>
  passes(input, [condition(operator, { values: [value] }, "subject")], subjects, result);

const filters = (count: number) =>
  Array.from({ length: count }, () => condition("IsNotNull", {}, "subject"));

export const subscriptions: Area = {
  title: "Namespaces: event subscriptions",
  rows: [
    ...(
      [
        [59, 400],
        [60, undefined],
        [300, undefined],
        [301, 400],
      ] as const
    ).map(([seconds, result]) =>
      setting(MODEL, `A lock of ${seconds} seconds`, "60 to 300", result, {
        receiveLockDurationInSeconds: seconds,
      }),
    ),
    row(
      MODEL,
      "A queue without settings",
      {
        documented: "a lock of 60 seconds and 10 deliveries; the time to live is open",
        unknown: "the retention of the topic",
      },
      [60, 10, 7 * 1440],
      ({ queue: { settings } }) => [
        settings.receiveLockDurationInSeconds,
        settings.maxDeliveryCount,
        settings.eventTimeToLiveInMinutes,
      ],
    ),
    ...(
      [
        [0, 400],
        [1, undefined],
        [10, undefined],
        [11, 400],
      ] as const
    ).map(([count, result]) =>
      setting(
        RETRIES,
        `\`maxDeliveryCount\` of ${count}, for a queue`,
        { documented: "1 to 10, said of push", unknown: result ? "refused" : "accepted" },
        result,
        { maxDeliveryCount: count },
      ),
    ),
    ...(
      [
        ["PT0M", "at least `PT1M`", 400],
        ["PT1M", "accepted", undefined],
        ["PT90S", "whole minutes", 400],
        ["P7D", "accepted", undefined],
        ["P8D", "at most the retention", 400],
      ] as const
    ).map(([eventTimeToLive, documented, result]) =>
      setting(MODEL, `\`eventTimeToLive\` of ${eventTimeToLive}`, documented, result, {
        eventTimeToLive,
      }),
    ),
    {
      source: MODEL,
      input: "A topic without `eventRetentionInDays`",
      documented: "1 day in the model; 7 days are the limit and azurerm's default",
      unknown: "7 days",
      run: async (stage) => (await Opened.open(stage)).topic.eventRetentionInDays,
      result: 7,
    },
    {
      source: MODEL,
      input: "`eventRetentionInDays` of 8",
      documented: "1 in the model; the limit is 7 days",
      unknown: "1 to 7",
      run: (stage) =>
        Opened.open(stage, {}, { eventRetentionInDays: 8 }).then(() => undefined, statusOf),
      result: 400,
    },
    row(
      DEAD_LETTERS,
      "An event at the end of its time to live",
      "dead-lettered, or dropped without a destination",
      ["Time to live was exceeded.", 1],
      async (opened) => {
        await opened.publish();
        await opened.topic.subscriptions.put({ name: "queue", eventTimeToLive: "PT1M" });
        const dropping = await opened.topic.subscriptions.create({
          name: "dropping",
          eventTimeToLive: "PT1M",
        });
        await opened.publish();
        await opened.topic.subscriptions.put({
          name: "queue",
          eventTimeToLive: "PT1M",
          deadLetter: { container: "dead" },
        });
        await opened.stage.cloud.clock.advance({ minutes: 1 });
        return [opened.deadLetters()[0]?.deadletterreason, dropping.counts?.dropped];
      },
    ),
    row(
      DEAD_LETTERS,
      "An event after its last delivery",
      {
        documented: "dead-lettered; whether at the end of its lock or at the next receive is open",
        unknown: "at the end of its lock",
      },
      1,
      async (opened) => {
        await opened.locked();
        await opened.stage.cloud.clock.advance({ seconds: 60 });
        return opened.deadLetters().length;
      },
      { deadLetter: { container: "dead" }, maxDeliveryCount: 1 },
    ),
    row(
      PUSH_REFERENCE,
      "An event after its last delivery, without a dead-letter destination",
      "dropped",
      1,
      async (opened) => {
        await opened.locked();
        await opened.stage.cloud.clock.advance({ seconds: 60 });
        return opened.queue.counts?.dropped;
      },
      { maxDeliveryCount: 1 },
    ),
    row(
      DEAD_LETTERS,
      "The name of the blob with a dead letter",
      "`NAMESPACE/TOPIC/SUBSCRIPTION/YEAR/MONTH/DAY/HOUR/UUID.json`, numbers not padded",
      true,
      async (opened) => {
        await opened.settle("reject", await opened.locked());
        const [letter] = opened.deadLetters();
        const at = new Date(opened.stage.cloud.clock.now());
        const day = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()];
        const folder = `${opened.namespace.name}/orders/queue/${day.join("/")}/`;
        return letter?.blob.startsWith(folder) && /\/[0-9a-f-]{36}\.json$/.test(letter.blob);
      },
      { deadLetter: { container: "dead" } },
    ),
    row(
      DEAD_LETTERS,
      "The content of the blob",
      {
        documented: "Microsoft's pages contradict each other",
        unknown: "an array of objects with `deadLetterProperties` and `event`",
      },
      [
        ["deadLetterProperties", "event"],
        [
          "deadletterreason",
          "deliveryattempts",
          "deliveryresult",
          "publishutc",
          "deliveryattemptutc",
        ],
        ["Maximum delivery attempts was exceeded.", "Event was not acknowledged nor rejected."],
      ],
      async (opened) => {
        const { cloud } = opened.stage;
        await opened.locked();
        await cloud.clock.advance({ seconds: 60 });
        await cloud.clock.advance({ milliseconds: 0 });
        const [letter] = opened.deadLetters();
        const [record] = JSON.parse(letter ? opened.stage.blobOf(letter) : "[{}]");
        const { deadLetterProperties: properties } = record;
        return [
          Object.keys(record),
          Object.keys(properties),
          [properties.deadletterreason, properties.deliveryresult],
        ];
      },
      { deadLetter: { container: "dead" }, maxDeliveryCount: 1 },
    ),
    passes(
      "A filter on `includedEventTypes`",
      [],
      { a: { type: "shop.a" }, b: { type: "shop.b" } },
      ["a"],
      { includedEventTypes: ["shop.a"] },
    ),
    passes("No filter", [], { a: { type: "shop.a" }, b: { type: "shop.b" } }, ["a", "b"]),
    onSubject("`subject` with `StringBeginsWith`, in another case", "StringBeginsWith", "orders/", [
      "order",
    ]),
    onSubject("`subject` with `StringEndsWith`", "StringEndsWith", ".xml", ["parcel"]),
    onSubject("`StringContains`", "StringContains", "CELS", ["parcel"]),
    onSubject("`StringIn`", "StringIn", "parcels/1.xml", ["parcel"]),
    onSubject("`StringNotIn`, which an absent key matches", "StringNotIn", "parcels/1.xml", [
      ...["order", "none"],
    ]),
    onSubject(
      "`StringNotBeginsWith`, which an absent key does not match",
      "StringNotBeginsWith",
      "parcels",
      ["order"],
    ),
    onSubject("`StringNotEndsWith`", "StringNotEndsWith", ".xml", ["order"]),
    onSubject("`StringNotContains`", "StringNotContains", "cels", ["order"]),
    onPrice("NumberIn", { values: [1] }, ["cheap"]),
    onPrice("NumberNotIn", { values: [1] }, ["dear", "free"], ", which an absent key matches"),
    onPrice("NumberInRange", { values: [[5, 10]] }, ["dear"]),
    {
      ...onPrice("NumberNotInRange", { values: [[5, 10]] }, ["cheap", "free"]),
      documented: "open for an absent key",
      unknown: "an absent key matches",
    },
    onPrice("NumberLessThan", { value: 10 }, ["cheap"]),
    onPrice("NumberLessThanOrEquals", { value: 10 }, ["cheap", "dear"]),
    onPrice("NumberGreaterThan", { value: 1 }, ["dear"]),
    onPrice("NumberGreaterThanOrEquals", { value: 1 }, ["cheap", "dear"]),
    passes(
      "`BoolEquals`",
      [condition("BoolEquals", { value: true }, "gift")],
      { a: { gift: true }, b: { gift: false } },
      ["a"],
    ),
    onPrice("IsNullOrUndefined", {}, ["free"]),
    onPrice("IsNotNull", {}, ["cheap", "dear"]),
    setting(
      FILTERS,
      "A filter on the data",
      {
        documented: "Microsoft's pages contradict each other",
        unknown: "refused",
      },
      400,
      { filter: { filters: [condition("IsNotNull", {}, "data.total")] } },
    ),
    setting(FILTERS, "25 filters", "accepted", undefined, { filter: { filters: filters(25) } }),
    setting(FILTERS, "26 filters", "at most 25", 400, { filter: { filters: filters(26) } }),
    setting(FILTERS, "A value of 513 characters", "at most 512", 400, {
      filter: { filters: [condition("StringIn", { values: ["x".repeat(513)] }, "subject")] },
    }),
    setting(MODEL, "The name of an event subscription with 2 characters", "3 to 50", 400, {
      name: "ab",
    }),
    row(
      MODEL,
      "The expiration time of an event subscription passes",
      {
        documented: "the event subscription expires; the response to its receivers is open",
        unknown: "404 `NotFound`, and published events are not kept",
      },
      ["NotFound", 0],
      async (opened) => {
        const { clock } = opened.stage.cloud;
        const expiresAt = new Date(clock.now() + 60_000).toISOString();
        await opened.topic.subscriptions.put({ name: "queue", expiresAt });
        await clock.advance({ minutes: 1 });
        await opened.publish();
        return [(await opened.receive()).code, opened.queue.counts?.waiting];
      },
    ),
    row(
      MODEL,
      "A queue becomes a webhook",
      open("400: the delivery mode cannot be changed"),
      400,
      ({ topic }) =>
        topic.subscriptions
          .put({ name: "queue", endpointUrl: "https://parity.example.com/queue" })
          .then(() => undefined, statusOf),
    ),
  ],
};
