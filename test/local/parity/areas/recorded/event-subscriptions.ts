import { finished } from "../../../support/management-client.js";
import { type Area, row } from "../../row.js";
import { GROUP } from "../../stage.js";
import {
  cli,
  net,
  PROVIDERS,
  pick,
  powershell,
  propertiesOf,
  subscribed,
  subscription,
  TOPICS,
  webhook,
  written,
  writtenAt,
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

export const eventSubscriptions: Area = {
  title: "Recorded answers: event subscriptions",
  rows: [
    row(SUBSCRIPTION, "The response to the `PUT` of an event subscription")
      .documented("`Creating`, the whole retry policy; the schema and batches only if sent")
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
        async (stage) => {
          const { eventDeliverySchema, ...shown } = propertiesOf(
            (await subscribed(stage, subscription({ retryPolicy: { maxDeliveryAttempts: 5 } })))
              .first,
          );
          const names = ["provisioningState", "retryPolicy", "filter", "labels", "destination"];
          return { eventDeliverySchema, ...pick(shown, ...names) };
        },
      ),
    row(SUBSCRIPTION, "An event subscription, read after the operation")
      .documented("has the schema and the batch sizes; no `isSubjectCaseSensitive: false`")
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
        async (stage) => {
          const filter = { isSubjectCaseSensitive: false };
          const { last } = await subscribed(
            stage,
            subscription({ filter }, { deliveryAttributeMappings: [] }),
          );
          const { eventDeliverySchema, destination, filter: shown } = propertiesOf(last);
          return [eventDeliverySchema, destination.properties, shown];
        },
      ),
    row(
      cli("test_event_subscription_with_storagequeuemessage_ttl", 2022, "2021-10-15-preview"),
      "A `PUT` without a retry policy, and one that leaves out the schema",
    )
      .documented(
        "the 201 has the default policy since 2024 (in 2019 only after the operation); the schema stays, and is not in the 201",
      )
      .gives(
        [
          { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 },
          undefined,
          "CloudEventSchemaV1_0",
        ],
        async (stage) => {
          const body = subscription({ eventDeliverySchema: "CloudEventSchemaV1_0" });
          const { id } = await subscribed(stage, body);
          const { first, last } = await writtenAt(stage, id, subscription());
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
        const { id } = await written(stage, "Microsoft.EventGrid/systemTopics", {
          properties: { source, topicType: "Microsoft.Storage.StorageAccounts" },
        });
        const { last } = await writtenAt(stage, `${id}/eventSubscriptions/own`, subscription());
        return propertiesOf(last).topic === id;
      }),
    row(SUBSCRIPTION, "`properties.topic` of an event subscription")
      .documented("in lower case after `/resourceGroups/`")
      .gives(GROUP, async (stage) => {
        const { last, scope } = await subscribed(stage, subscription());
        return propertiesOf(last).topic.replace(scope.toLowerCase().slice(GROUP.length), "");
      }),
    row(STORAGE, "A storage account's event subscription without `includedEventTypes`")
      .documented("`BlobCreated` and `BlobDeleted` only")
      .gives(["Microsoft.Storage.BlobCreated", "Microsoft.Storage.BlobDeleted"], async (stage) => {
        const account = `${PROVIDERS}/Microsoft.Storage/storageAccounts/parity`;
        const { first } = await subscribed(stage, subscription(), account);
        return propertiesOf(first).filter.includedEventTypes;
      }),
    row(DELETED, "`DELETE` of an event subscription")
      .documented("202 with `Azure-AsyncOperation` and `Location`, whose result is 200 and empty")
      .gives([202, true, 200, undefined], async (stage) => {
        const { id } = await subscribed(stage, subscription());
        const { status, headers } = await stage.call("DELETE", id);
        const { pathname, search } = new URL(String(headers.location));
        const { status: ended, body } = await stage.call("GET", `${pathname}${search}`);
        return [status, headers["azure-asyncoperation"] !== undefined, ended, body];
      }),
    row(DEAD_LETTER, "An event subscription with a dead-letter destination")
      .documented("`deadLetterDestination` as it was sent")
      .gives("dead", async (stage) => {
        const resourceId = `${PROVIDERS}/Microsoft.Storage/storageAccounts/parity`;
        const deadLetterDestination = {
          endpointType: "StorageBlob",
          properties: { resourceId, blobContainerName: "dead" },
        };
        const { last } = await subscribed(stage, subscription({ deadLetterDestination }));
        return propertiesOf(last).deadLetterDestination.properties.blobContainerName;
      }),
    row(IDENTITY, "An event subscription that delivers with an identity")
      .documented("`destination` null; `PATCH` with a destination replaces the identity")
      .gives([null, { type: "SystemAssigned" }, "WebHook", undefined], async (stage) => {
        const { id: scope } = await written(stage, TOPICS, {
          identity: { type: "SystemAssigned" },
        });
        const identity = { type: "SystemAssigned" };
        const deliveryWithResourceIdentity = { identity, destination: webhook() };
        const { last, id } = await subscribed(
          stage,
          { properties: { deliveryWithResourceIdentity } },
          scope,
        );
        const patched = await stage.call("PATCH", id, { destination: webhook() });
        await finished((...request) => stage.call(...request), patched);
        const after = propertiesOf(await stage.call("GET", id));
        return [
          propertiesOf(last).destination,
          propertiesOf(last).deliveryWithResourceIdentity.identity,
          after.destination.endpointType,
          after.deliveryWithResourceIdentity,
        ];
      }),
    row(ATTRIBUTES, "A secret delivery attribute")
      .documented("`Hidden`, except in the 201 of its creation")
      .differs("`Hidden` there, too")
      .gives(["Hidden", "Hidden"], async (stage) => {
        const deliveryAttributeMappings = [
          { name: "x-key", type: "Static", properties: { value: "s3cret", isSecret: true } },
        ];
        const { first, last } = await subscribed(
          stage,
          subscription({}, { deliveryAttributeMappings }),
        );
        return [first, last].map(
          (each) =>
            propertiesOf(each).destination.properties.deliveryAttributeMappings[0].properties.value,
        );
      }),
    row(
      net(
        "EventGridDomainEventSubscriptionTests/DomainEventSubscriptionNegativeScenarios",
        2025,
        "2025-07-15-preview",
      ),
      "The base URL of `https://HOST:443/PATH?QUERY`",
    )
      .documented("without the query and the default port")
      .gives("https://parity.example.com/recorded", async (stage) => {
        const endpointUrl = "https://parity.example.com:443/recorded?code=1";
        const { last } = await subscribed(stage, subscription({}, { endpointUrl }));
        return propertiesOf(last).destination.properties.endpointBaseUrl;
      }),
  ],
};
