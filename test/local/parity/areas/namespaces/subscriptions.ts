import type { FilterCondition, NewNamespaceSubscription } from "cloud-eventgrid-local";
import { deadLettersTo } from "../../../support/dead-letters.js";
import { type Area, type Row, row } from "../../row.js";
import { statusOf } from "../../stage.js";
import { DEAD_LETTERS, MODEL, page, queue, RETRIES, setting } from "./opened.js";

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
  others: NewNamespaceSubscription["filtersConfiguration"] = {},
): Row {
  return queue(FILTERS, input)
    .documented(`selects ${result.join(", ")} of ${Object.keys(events).join(", ")}`)
    .with({ filtersConfiguration: { filters, ...others } })
    .gives(result, async (opened) => {
      for (const [id, attributes] of Object.entries(events))
        await opened.publish({ id, ...attributes });
      return (await opened.queue.receive({ maxEvents: 10 })).map(({ event }) => event.id);
    });
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

const timeToLive = (eventTimeToLive: string, documented: string, result: 400 | undefined): Row =>
  setting(MODEL, `\`eventTimeToLive\` of ${eventTimeToLive}`)
    .documented(documented)
    .with({ eventTimeToLive })
    .gives(result);

const deadLetters = deadLettersTo("dead");

const filters = (count: number) =>
  Array.from({ length: count }, () => condition("IsNotNull", {}, "subject"));

export const subscriptions: Area = {
  title: "Namespaces: event subscriptions",
  rows: [
    ...[59, 60, 300, 301].map((seconds) =>
      setting(MODEL, `A lock of ${seconds} seconds`)
        .documented("60 to 300")
        .with({ receiveLockDurationInSeconds: seconds })
        .gives(seconds < 60 || seconds > 300 ? 400 : undefined),
    ),
    queue(MODEL, "A queue without settings")
      .documented("a lock of 60 seconds and 10 deliveries; the time to live is open")
      .unknown("the retention of the topic")
      .gives([60, 10, 7 * 1440], ({ queue: { settings } }) => [
        settings.receiveLockDurationInSeconds,
        settings.maxDeliveryCount,
        settings.eventTimeToLiveInMinutes,
      ]),
    ...[0, 1, 10, 11].map((count) =>
      setting(RETRIES, `\`maxDeliveryCount\` of ${count}, for a queue`)
        .documented("1 to 10, said of push")
        .unknown(count < 1 || count > 10 ? "refused" : "accepted")
        .with({ maxDeliveryCount: count })
        .gives(count < 1 || count > 10 ? 400 : undefined),
    ),
    timeToLive("PT0M", "at least `PT1M`", 400),
    timeToLive("PT1M", "accepted", undefined),
    timeToLive("PT90S", "whole minutes", 400),
    timeToLive("P7D", "accepted", undefined),
    timeToLive("P8D", "at most the retention", 400),
    queue(MODEL, "A topic without `eventRetentionInDays`")
      .documented("1 day in the model; 7 days are the limit and azurerm's default")
      .unknown("7 days")
      .gives(7, ({ topic }) => topic.eventRetentionInDays),
    row(MODEL, "`eventRetentionInDays` of 8")
      .documented("1 in the model; the limit is 7 days")
      .unknown("1 to 7")
      .gives(400, (stage) =>
        stage.newQueue({}, { eventRetentionInDays: 8 }).then(() => undefined, statusOf),
      ),
    queue(DEAD_LETTERS, "An event at the end of its time to live")
      .documented("dead-lettered, or dropped without a destination")
      .with({ ...deadLetters, eventTimeToLive: "PT1M" })
      .gives(["Time to live was exceeded.", 1], async (opened) => {
        const settings = { name: "dropping", eventTimeToLive: "PT1M" };
        const dropping = await opened.topic.subscriptions.create(settings);
        await opened.publish();
        await opened.advance(60);
        return [opened.deadLetters()[0]?.deadletterreason, dropping.counts?.dropped];
      }),
    queue(DEAD_LETTERS, "An event after its last delivery")
      .documented("dead-lettered; whether at the end of its lock or at the next receive is open")
      .unknown("at the end of its lock")
      .with({ ...deadLetters, maxDeliveryCount: 1 })
      .gives(1, async (opened) => {
        await opened.locked();
        await opened.advance(60);
        return opened.deadLetters().length;
      }),
    queue(PUSH_REFERENCE, "An event after its last delivery, without a dead-letter destination")
      .documented("dropped")
      .with({ maxDeliveryCount: 1 })
      .gives(1, async (opened) => {
        await opened.locked();
        await opened.advance(60);
        return opened.queue.counts?.dropped;
      }),
    queue(DEAD_LETTERS, "The name of the blob with a dead letter")
      .documented(
        "`NAMESPACE/TOPIC/SUBSCRIPTION/YEAR/MONTH/DAY/HOUR/UUID.json`, numbers not padded",
      )
      .with(deadLetters)
      .gives(true, async (opened) => {
        await opened.settle("reject", await opened.locked());
        const [letter] = opened.deadLetters();
        const at = new Date(opened.stage.cloud.clock.now());
        const day = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours()];
        const folder = `${opened.namespace.name}/orders/queue/${day.join("/")}/`;
        return letter?.blob.startsWith(folder) && /\/[0-9a-f-]{36}\.json$/.test(letter.blob);
      }),
    queue(DEAD_LETTERS, "The content of the blob")
      .documented("Microsoft's pages contradict each other")
      .unknown("an array of objects with `deadLetterProperties` and `event`")
      .with({ ...deadLetters, maxDeliveryCount: 1 })
      .gives(
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
          await opened.locked();
          await opened.advance(60);
          await opened.advance(0);
          const [letter] = opened.deadLetters();
          const [record] = JSON.parse(letter ? opened.stage.blobOf(letter) : "[{}]");
          const { deadletterreason, deliveryresult } = record.deadLetterProperties;
          return [
            Object.keys(record),
            Object.keys(record.deadLetterProperties),
            [deadletterreason, deliveryresult],
          ];
        },
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
    setting(FILTERS, "A filter on the data")
      .documented("Microsoft's pages contradict each other")
      .unknown("refused")
      .with({ filtersConfiguration: { filters: [condition("IsNotNull", {}, "data.total")] } })
      .gives(400),
    setting(FILTERS, "25 filters")
      .documented("accepted")
      .with({ filtersConfiguration: { filters: filters(25) } })
      .gives(undefined),
    setting(FILTERS, "26 filters")
      .documented("at most 25")
      .with({ filtersConfiguration: { filters: filters(26) } })
      .gives(400),
    setting(FILTERS, "A value of 513 characters")
      .documented("at most 512")
      .with({
        filtersConfiguration: {
          filters: [condition("StringIn", { values: ["x".repeat(513)] }, "subject")],
        },
      })
      .gives(400),
    setting(MODEL, "The name of an event subscription with 2 characters")
      .documented("3 to 50")
      .with({ name: "ab" })
      .gives(400),
    queue(MODEL, "The expiration time of an event subscription passes")
      .documented("the event subscription expires; the response to its receivers is open")
      .unknown("404 `NotFound`, and published events are not kept")
      .gives(["NotFound", 0], async (opened) => {
        const { clock } = opened.stage.cloud;
        const expirationTimeUtc = new Date(clock.now() + 60_000).toISOString();
        await opened.topic.subscriptions.put({ name: "queue", expirationTimeUtc });
        await clock.advance({ minutes: 1 });
        await opened.publish();
        return [(await opened.receive()).code, opened.queue.counts?.waiting];
      }),
    queue(MODEL, "A queue becomes a webhook")
      .open("400: the delivery mode cannot be changed")
      .gives(400, ({ topic }) =>
        topic.subscriptions
          .put({ name: "queue", endpointUrl: "https://parity.example.com/queue" })
          .then(() => undefined, statusOf),
      ),
  ],
};
