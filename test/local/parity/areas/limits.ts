import type {
  EventDestination,
  FilterCondition,
  NewEventSubscription,
} from "cloud-eventgrid-local";
import { deadLettersTo } from "../../support/dead-letters.js";
import { type Area, eventGrid, type Row, row, rowsThat, type Source } from "../row.js";
import { cloudEvent, GROUP, publishEvents, statusOf } from "../stage.js";

const FILTERS = eventGrid("event-filtering", "Limitations");
const RETRIES = eventGrid("delivery-and-retry", "Retry policy");
const BATCHES = eventGrid("delivery-and-retry", "Batching policy");
const ERRORS = eventGrid("troubleshoot-errors", "Error code 400");
const CONFLICTS = eventGrid("troubleshoot-errors", "Error code 409");
const QUOTAS = eventGrid("quotas-limits", "Custom topics, system topics, and partner topics");
const NAME = eventGrid("subscription-creation-schema", "Event Grid subscription schema");

type Settings = Partial<NewEventSubscription>;

/** The status with which settings of an event subscription are refused; `undefined` if not. */
export const setting = rowsThat((stage, settings: Settings = {}) => stage.refusalOf(settings));

/** Whether an event subscription with the settings is accepted. */
export const limit = (input: string, source: Source, settings: Settings, accepted: boolean): Row =>
  setting(source, input)
    .documented(accepted ? "accepted" : "refused")
    .with(settings)
    .gives(accepted ? undefined : 400);

/** The values that are accepted, from the first to the last, and those next to them. */
const range = (
  first: number,
  last: number,
  source: Source,
  nameOf: (value: number) => string,
  settingsOf: (value: number) => Settings,
): Row[] =>
  [first - 1, first, last, last + 1].map((value) =>
    limit(nameOf(value), source, settingsOf(value), value >= first && value <= last),
  );

/** What becomes of an event whose data has so many KB. */
const message = (
  input: string,
  source: Source,
  destination: EventDestination,
  kilobytes: number,
): Row =>
  row(source, input)
    .documented("too large, and 413 is not retried: `PayloadTooLarge` in the dead letter")
    .gives(["PayloadTooLarge"], async (stage) => {
      const topic = await stage.newTopic();
      const { name } = await stage.subscribe(topic.id, { destination, ...deadLettersTo("dead") });
      await publishEvents(topic, [cloudEvent({ data: "x".repeat(kilobytes * 1024) })]);
      await stage.cloud.drain();
      const letters = stage.cloud.deadLetters().filter((each) => each.subscription === name);
      return letters.map((each) => each.lastdeliveryoutcome);
    });

/** Whether advanced filters are accepted. */
const filtering = (input: string, advancedFilters: readonly FilterCondition[], accepted: boolean) =>
  limit(input, FILTERS, { filter: { advancedFilters } }, accepted);

const numbersIn = (count: number): FilterCondition => ({
  key: "data.key",
  operatorType: "NumberIn",
  values: Array.from({ length: count }, (_, index) => index),
});

const notNull = (count: number): FilterCondition[] =>
  Array.from({ length: count }, () => ({ key: "data.key", operatorType: "IsNotNull" }));

const textOf = (length: number): FilterCondition => ({
  key: "data.key",
  operatorType: "StringIn",
  values: ["x".repeat(length)],
});

/** The status of creating a topic with the name, `undefined` for success. */
const topicName = (input: string, name: string, accepted: boolean): Row =>
  row(ERRORS, input)
    .documented(accepted ? "accepted" : "400")
    .gives(accepted ? undefined : 400, (stage) =>
      stage.newTopic({ name }).then(() => undefined, statusOf),
    );

export const limits: Area = {
  title: "Limits",
  rows: [
    message(
      "An event of more than 48 KiB for a storage queue",
      {
        page: "azure/storage/queues/storage-queues-introduction",
        section: "Queue Storage concepts",
        quote: "up to 64 KB in size",
      },
      { endpointType: "StorageQueue", properties: { queueName: "orders" } },
      48,
    ),
    message(
      "An event of more than 256 KB for a Service Bus queue of the Standard tier",
      {
        page: "azure/service-bus-messaging/service-bus-quotas",
        section: "Messaging quotas",
        quote: "256 KB for Standard tier",
      },
      {
        endpointType: "ServiceBusQueue",
        properties: {
          resourceId: `${GROUP}/providers/Microsoft.ServiceBus/namespaces/bus/queues/orders`,
        },
      },
      256,
    ),
    message(
      "An event of more than 1 MB with its properties for an event hub of the Standard tier",
      {
        page: "azure/event-hubs/event-hubs-quotas",
        section: "Basic vs. standard vs. premium vs. dedicated tiers",
        quote: "Maximum size of Event Hubs publication",
      },
      {
        endpointType: "EventHub",
        properties: {
          resourceId: `${GROUP}/providers/Microsoft.EventHub/namespaces/hubs/eventhubs/orders`,
        },
      },
      1024,
    ),
    filtering("25 advanced filters", notNull(25), true),
    filtering("26 advanced filters", notNull(26), false),
    filtering("25 values in all filters", [numbersIn(12), numbersIn(13)], true),
    filtering("26 values in all filters", [numbersIn(13), numbersIn(13)], false),
    filtering("512 characters in a value", [textOf(512)], true),
    filtering("513 characters in a value", [textOf(513)], false),
    ...range(
      1,
      30,
      RETRIES,
      (attempts) => `${attempts} delivery attempts`,
      (maxDeliveryAttempts) => ({ retryPolicy: { maxDeliveryAttempts } }),
    ),
    ...range(
      1,
      1440,
      RETRIES,
      (minutes) => `${minutes} minutes time to live`,
      (eventTimeToLiveInMinutes) => ({ retryPolicy: { eventTimeToLiveInMinutes } }),
    ),
    limit("1.5 delivery attempts", RETRIES, { retryPolicy: { maxDeliveryAttempts: 1.5 } }, false),
    ...range(
      1,
      5000,
      BATCHES,
      (events) => `${events} events in a batch`,
      (maxEventsPerBatch) => ({ maxEventsPerBatch }),
    ),
    ...range(
      1,
      1024,
      eventGrid("delivery-and-retry", "Azure CLI"),
      (kilobytes) => `${kilobytes} KB in a batch`,
      (preferredBatchSizeInKilobytes) => ({ preferredBatchSizeInKilobytes }),
    ),
    limit("A subscription name of 3 characters", NAME, { name: "abc" }, true),
    limit("A subscription name of 2 characters", NAME, { name: "ab" }, false),
    limit("A subscription name of 64 characters", NAME, { name: "a".repeat(64) }, true),
    limit("A subscription name of 65 characters", NAME, { name: "a".repeat(65) }, false),
    limit("A subscription name with a dot", NAME, { name: "a.b.c" }, false),
    limit("An expiration time that is no date", ERRORS, { expirationTimeUtc: "tomorrow" }, false),
    topicName("A topic name of 3 characters", "abc", true),
    topicName("A topic name of 2 characters", "ab", false),
    topicName("A topic name of 50 characters", "a".repeat(50), true),
    topicName("A topic name of 51 characters", "a".repeat(51), false),
    topicName("A topic name with an underscore", "my_topic", false),
    topicName("A topic name that begins with `Microsoft`", "Microsoft-orders", false),
    topicName("A topic name that begins with `EventGrid`", "EventGrid-orders", false),
    topicName("A topic name that begins with `System`", "System-orders", false),
    row(CONFLICTS, "A topic name that is taken in the region")
      .documented("409")
      .gives(409, async (stage) => {
        const { name } = await stage.newTopic();
        const second = stage.newTopic({ name, resourceGroupName: "another" });
        return second.then(() => undefined, statusOf);
      }),
    row(CONFLICTS, "A topic name that is taken in another region")
      .documented("accepted")
      .gives("northeurope", async (stage) => {
        const { name } = await stage.newTopic();
        const elsewhere = { resourceGroupName: "another", location: "northeurope" };
        return (await stage.newTopic({ name, ...elsewhere })).location;
      }),
    row(QUOTAS, "More than 5,000 events per second")
      .documented("throttled")
      .differs("accepted; `faults.publishing` answers 429 on demand")
      .gives(429, async (stage) => {
        stage.cloud.faults.publishing({ status: 429, times: 1 });
        return (await stage.publish(stage.topicFor("CloudEventSchemaV1_0"), [])).status;
      }),
  ],
};
