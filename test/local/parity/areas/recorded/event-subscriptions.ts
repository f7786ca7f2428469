import { setTimeout } from "node:timers/promises";
import { type Area, row } from "../../row.js";
import { ended, GROUP, prepared, type Stage } from "../../stage.js";
import {
  cli,
  create,
  location,
  net,
  PROVIDERS,
  pick,
  powershell,
  propertiesOf,
  resource,
  subscribe,
  subscribed,
  subscription,
  webhook,
  written,
} from "./recordings.js";

const SUBSCRIPTION = net(
  "EventGridTopicEventSubscriptionTests/CreateOrUpdate",
  2023,
  "2023-06-01-preview",
);
const DELETED = net("EventGridTopicEventSubscriptionTests/Delete", 2023, "2023-06-01-preview");
const STORAGE = cli(
  "test_create_event_subscriptions_with_20200101_features",
  2021,
  "2020-10-15-preview",
);
const DEAD_LETTER = powershell(
  "EventGrid_EventSubscription_Deadletter",
  2019,
  "2019-02-01-preview",
);
const IDENTITY = cli("test_event_subscription_with_delivery_identity", 2021, "2020-10-15-preview");
const ATTRIBUTES = cli("test_event_subscription_delivery_attributes", 2022, "2020-10-15-preview");

const ACCOUNT = `${PROVIDERS}/Microsoft.Storage/storageAccounts/parity`;
const DEAD = {
  endpointType: "StorageBlob",
  properties: { resourceId: ACCOUNT, blobContainerName: "dead" },
};

/** A storage account that exists, which the scope of an event subscription must. */
async function newAccount(stage: Stage): Promise<string> {
  await prepared(stage);
  const name = `of${stage.newName().replaceAll(/\D/g, "").padStart(3, "0")}`;
  const id = `${PROVIDERS}/Microsoft.Storage/storageAccounts/${name}`;
  const body = { location, kind: "StorageV2", sku: { name: "Standard_LRS" } };
  const { status } = await stage.call("PUT", id, body);
  if (status >= 400) throw new Error(`The storage account was refused with ${status}.`);
  // Storage names no operation in Azure-AsyncOperation.
  while ((await stage.call("GET", id)).status !== 200) await setTimeout(1000);
  return id;
}

export const eventSubscriptions: Area = {
  title: "Recorded answers: event subscriptions",
  rows: [
    subscribed(SUBSCRIPTION, "The response to the `PUT` of an event subscription")
      .documented("`Creating`, the whole retry policy; the schema and batches only if sent")
      .with(subscription({ retryPolicy: { maxDeliveryAttempts: 5 } }))
      .gives(
        {
          eventDeliverySchema: undefined,
          provisioningState: "Creating",
          retryPolicy: { maxDeliveryAttempts: 5, eventTimeToLiveInMinutes: 1440 },
          filter: { subjectBeginsWith: "", subjectEndsWith: "" },
          labels: null,
          destination: {
            endpointType: "WebHook",
            properties: {
              endpointUrl: null,
              endpointBaseUrl: "https://parity.example.com/recorded",
            },
          },
        },
        ({ first }) => {
          const { eventDeliverySchema, ...shown } = propertiesOf(first);
          const names = ["provisioningState", "retryPolicy", "filter", "labels", "destination"];
          return { eventDeliverySchema, ...pick(shown, ...names) };
        },
      ),
    subscribed(SUBSCRIPTION, "An event subscription, read after the operation")
      .documented("has the schema and the batch sizes; no `isSubjectCaseSensitive: false`")
      .with(
        subscription(
          { filter: { isSubjectCaseSensitive: false } },
          { deliveryAttributeMappings: [] },
        ),
      )
      .gives(
        [
          "EventGridSchema",
          {
            endpointUrl: null,
            endpointBaseUrl: "https://parity.example.com/recorded",
            maxEventsPerBatch: 1,
            preferredBatchSizeInKilobytes: 64,
          },
          { subjectBeginsWith: "", subjectEndsWith: "" },
        ],
        ({ last }) => {
          const { eventDeliverySchema, destination, filter } = propertiesOf(last);
          return [eventDeliverySchema, destination.properties, filter];
        },
      ),
    subscribed(
      cli("test_event_subscription_with_storagequeuemessage_ttl", 2022, "2021-10-15-preview"),
      "A `PUT` without a retry policy, and one that leaves out the schema",
    )
      .documented(
        "the 201 has the default policy since 2024 (in 2019 only after the operation); the schema stays, and is not in the 201",
      )
      .with(subscription({ eventDeliverySchema: "CloudEventSchemaV1_0" }))
      .gives(
        [
          { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
          undefined,
          "CloudEventSchemaV1_0",
        ],
        async ({ stage, id }) => {
          const { first, last } = await written(stage, id, subscription());
          const { retryPolicy, eventDeliverySchema } = propertiesOf(first);
          return [retryPolicy, eventDeliverySchema, propertiesOf(last).eventDeliverySchema];
        },
      ),
    row(
      powershell("AzEventGridSystemTopic", 2024, "2023-06-01-preview"),
      "`properties.topic` of a system topic's event subscription",
    )
      .documented("the ID of the system topic, in its own case")
      .gives(true, async (stage) => {
        const source = `${PROVIDERS}/Microsoft.Storage/storageAccounts/of${stage.newName()}`;
        const { id } = await create(stage, {
          type: "Microsoft.EventGrid/systemTopics",
          properties: { source, topicType: "Microsoft.Storage.StorageAccounts" },
        });
        const { last } = await written(stage, `${id}/eventSubscriptions/own`, subscription());
        return propertiesOf(last).topic === id;
      }),
    subscribed(SUBSCRIPTION, "`properties.topic` of an event subscription")
      .documented("in lower case after `/resourceGroups/`")
      .gives(GROUP, ({ last, scope }) =>
        propertiesOf(last).topic.replace(scope.toLowerCase().slice(GROUP.length), ""),
      ),
    row(STORAGE, "A storage account's event subscription without `includedEventTypes`")
      .documented("`BlobCreated` and `BlobDeleted` only")
      .gives(["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"], async (stage) => {
        const { first } = await subscribe(stage, subscription(), await newAccount(stage));
        return propertiesOf(first).filter.includedEventTypes;
      }),
    subscribed(DELETED, "`DELETE` of an event subscription")
      .documented("202 with `Azure-AsyncOperation` and `Location`, whose result is 200 and empty")
      .gives([202, true, 200, undefined], async ({ call, id }) => {
        const { status, headers } = await call("DELETE", id);
        const { pathname, search } = new URL(String(headers.location));
        const result = await call("GET", `${pathname}${search}`);
        return [status, "azure-asyncoperation" in headers, result.status, result.body];
      }),
    subscribed(DEAD_LETTER, "An event subscription with a dead-letter destination")
      .documented("`deadLetterDestination` as it was sent")
      .with(subscription({ deadLetterDestination: DEAD }))
      .gives(DEAD, ({ last }) => propertiesOf(last).deadLetterDestination),
    resource(IDENTITY, "An event subscription that delivers with an identity")
      .documented("`destination` null; `PATCH` with a destination replaces the identity")
      .with({ identity: { type: "SystemAssigned" } })
      .gives([null, { type: "SystemAssigned" }, "WebHook", undefined], async ({ stage, id }) => {
        const identity = { type: "SystemAssigned" };
        const deliveryWithResourceIdentity = { identity, destination: webhook() };
        const body = { properties: { deliveryWithResourceIdentity } };
        const { call, last, ...written } = await subscribe(stage, body, id);
        await ended(stage, await call("PATCH", written.id, { destination: webhook() }));
        const [before, after] = [last, await call("GET", written.id)].map(propertiesOf);
        return [
          before.destination,
          before.deliveryWithResourceIdentity.identity,
          after.destination.endpointType,
          after.deliveryWithResourceIdentity,
        ];
      }),
    subscribed(ATTRIBUTES, "A secret delivery attribute")
      .documented("`Hidden`, except in the 201 of its creation")
      .differs("`Hidden` there, too")
      .with(
        subscription(
          {},
          {
            deliveryAttributeMappings: [
              { name: "x-key", type: "Static", properties: { value: "s3cret", isSecret: true } },
            ],
          },
        ),
      )
      .gives(["Hidden", "Hidden"], ({ first, last }) =>
        [first, last]
          .map((each) => propertiesOf(each).destination.properties.deliveryAttributeMappings)
          .map(([{ properties }]) => properties.value),
      ),
    subscribed(
      net(
        "EventGridDomainEventSubscriptionTests/DomainEventSubscriptionNegativeScenarios",
        2025,
        "2025-07-15-preview",
      ),
      "The base URL of `https://HOST:443/PATH?QUERY`",
    )
      .documented("without the query and the default port")
      .with(subscription({}, { endpointUrl: "https://parity.example.com:443/recorded?code=1" }))
      .gives(
        "https://parity.example.com/recorded",
        ({ last }) => propertiesOf(last).destination.properties.endpointBaseUrl,
      ),
  ],
};
