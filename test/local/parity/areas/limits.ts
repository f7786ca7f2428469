import type { FilterCondition, NewEventSubscription } from "cloud-eventgrid-local";
import { type Area, eventGrid, type Row, type Source } from "../row.js";
import { statusOf } from "../stage.js";

const FILTERS = eventGrid("event-filtering", "Limitations");
const RETRIES = eventGrid("delivery-and-retry", "Retry policy");
const BATCHES = eventGrid("delivery-and-retry", "Batching policy");
const ERRORS = eventGrid("troubleshoot-errors", "Error code 400");
const CONFLICTS = eventGrid("troubleshoot-errors", "Error code 409");
const QUOTAS = eventGrid("quotas-limits", "Custom topics, system topics, and partner topics");
const NAME = eventGrid("subscription-creation-schema", "Event Grid subscription schema");

/** Whether an event subscription with the settings is accepted. */
export function limit(
  input: string,
  source: Source,
  settings: Partial<NewEventSubscription>,
  accepted: boolean,
  finding: Pick<Row, "documented" | "unknown"> = { documented: accepted ? "accepted" : "refused" },
): Row {
  return {
    source,
    input,
    ...finding,
    run: (stage) => stage.refusalOf(settings),
    result: accepted ? undefined : 400,
  };
}

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
function topicName(input: string, name: string, accepted: boolean): Row {
  return {
    source: ERRORS,
    input,
    documented: accepted ? "accepted" : "400",
    run: (stage) => stage.newTopic({ name }).then(() => undefined, statusOf),
    result: accepted ? undefined : 400,
  };
}

export const limits: Area = {
  title: "Limits",
  rows: [
    filtering("25 advanced filters", notNull(25), true),
    filtering("26 advanced filters", notNull(26), false),
    filtering("25 values in all filters", [numbersIn(12), numbersIn(13)], true),
    filtering("26 values in all filters", [numbersIn(13), numbersIn(13)], false),
    filtering("512 characters in a value", [textOf(512)], true),
    filtering("513 characters in a value", [textOf(513)], false),
    ...[0, 1, 30, 31].map((attempts) =>
      limit(
        `${attempts} delivery attempts`,
        RETRIES,
        { retryPolicy: { maxDeliveryAttempts: attempts } },
        attempts > 0 && attempts <= 30,
      ),
    ),
    ...[0, 1, 1440, 1441].map((minutes) =>
      limit(
        `${minutes} minutes time to live`,
        RETRIES,
        { retryPolicy: { eventTimeToLiveInMinutes: minutes } },
        minutes > 0 && minutes <= 1440,
      ),
    ),
    limit("1.5 delivery attempts", RETRIES, { retryPolicy: { maxDeliveryAttempts: 1.5 } }, false),
    ...[0, 1, 5000, 5001].map((events) =>
      limit(
        `${events} events in a batch`,
        BATCHES,
        { batching: { maxEventsPerBatch: events } },
        events > 0 && events <= 5000,
      ),
    ),
    ...[0, 1, 1024, 1025].map((kilobytes) =>
      limit(
        `${kilobytes} KB in a batch`,
        eventGrid("delivery-and-retry", "Azure CLI"),
        { batching: { preferredBatchSizeInKilobytes: kilobytes } },
        kilobytes > 0 && kilobytes <= 1024,
      ),
    ),
    limit("A subscription name of 3 characters", NAME, { name: "abc" }, true),
    limit("A subscription name of 2 characters", NAME, { name: "ab" }, false),
    limit("A subscription name of 64 characters", NAME, { name: "a".repeat(64) }, true),
    limit("A subscription name of 65 characters", NAME, { name: "a".repeat(65) }, false),
    limit("A subscription name with a dot", NAME, { name: "a.b.c" }, false),
    limit("An expiration time that is no date", ERRORS, { expiresAt: "tomorrow" }, false),
    topicName("A topic name of 3 characters", "abc", true),
    topicName("A topic name of 2 characters", "ab", false),
    topicName("A topic name of 50 characters", "a".repeat(50), true),
    topicName("A topic name of 51 characters", "a".repeat(51), false),
    topicName("A topic name with an underscore", "my_topic", false),
    topicName("A topic name that begins with `Microsoft`", "Microsoft-orders", false),
    topicName("A topic name that begins with `EventGrid`", "EventGrid-orders", false),
    topicName("A topic name that begins with `System`", "System-orders", false),
    {
      source: CONFLICTS,
      input: "A topic name that is taken in the region",
      documented: "409",
      run: async (stage) => {
        const { name } = await stage.newTopic();
        const second = stage.newTopic({ name, resourceGroupName: "another" });
        return second.then(() => undefined, statusOf);
      },
      result: 409,
    },
    {
      source: CONFLICTS,
      input: "A topic name that is taken in another region",
      documented: "accepted",
      run: async (stage) => {
        const { name } = await stage.newTopic();
        const { location } = await stage.newTopic({
          name,
          resourceGroupName: "another",
          location: "northeurope",
        });
        return location;
      },
      result: "northeurope",
    },
    {
      source: QUOTAS,
      input: "More than 5,000 events per second",
      documented: "throttled",
      differs: "accepted; `faults.publishing` answers 429 on demand",
      run: async (stage) => {
        stage.cloud.faults.publishing({ status: 429, times: 1 });
        const topic = stage.topicFor("CloudEventSchemaV1_0");
        return (await stage.publish(topic, [])).status;
      },
      result: 429,
    },
  ],
};
