import { type Area, row } from "../../row.js";
import type { Stage } from "../../stage.js";
import {
  create,
  extensions,
  location,
  net,
  PROVIDERS,
  pick,
  propertiesOf,
  resource,
  written,
} from "./recordings.js";

const NAMESPACE = net(
  "EventGridNamespaceTests/NamespaceTopicsSubscriptionCreateUpdateDelete",
  2024,
  "2024-06-01-preview",
);
const NAMESPACE_IDENTITY = net(
  "EventGridNamespaceTests/NamespaceTopicsSubscriptionWithDeadletterCreateUpdateDelete",
  2024,
  "2024-06-01-preview",
);

const NAMESPACES = "Microsoft.EventGrid/namespaces";
const IDENTITY = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/namespace`;
const QUEUE = {
  deliveryMode: "Queue",
  queue: { receiveLockDurationInSeconds: 90, maxDeliveryCount: 4, eventTimeToLive: "P1D" },
};

async function topicOf(stage: Stage) {
  const { id } = await create(stage, { type: NAMESPACES });
  return written(stage, `${id}/topics/orders`, { properties: { eventRetentionInDays: 1 } });
}

export const namespaces: Area = {
  title: "Recorded answers: namespaces",
  rows: [
    resource(NAMESPACE, "The response to the `PUT` of a namespace")
      .documented("`Creating`, TLS 1.2, no IP rules, no `topicsConfiguration`")
      .with({ type: NAMESPACES })
      .gives(
        {
          provisioningState: "Creating",
          minimumTlsVersionAllowed: "1.2",
          inboundIpRules: null,
        },
        ({ first }) => {
          const names = ["provisioningState", "minimumTlsVersionAllowed", "inboundIpRules"];
          return pick(propertiesOf(first), ...names, "topicsConfiguration");
        },
      ),
    resource(
      extensions("test_namespace", 2023, "2023-06-01-preview"),
      "The SKU of a namespace that is created without one",
    )
      .documented("null in the response to the `PUT`; then Standard with a capacity of 1")
      .with({ type: NAMESPACES })
      .gives([null, { name: "Standard", capacity: 1 }], ({ first, last }) =>
        [first, last].map(({ body }) => Object(body).sku),
      ),
    resource(NAMESPACE, "`systemData` of a namespace, its topics and their event subscriptions")
      .documented("null in the response to the `PUT`; then who wrote it and when")
      .differs("null: the local Azure does not keep who wrote a resource")
      .with({ type: NAMESPACES })
      .gives([null, null], ({ first, last }) =>
        [first, last].map(({ body }) => Object(body).systemData),
      ),
    row(NAMESPACE_IDENTITY, "The user-assigned identities of a namespace")
      .documented("`principalId` and `clientId` of each, null in the response to the `PUT`")
      .differs("both at once")
      .gives(["clientId", "principalId"], async (stage) => {
        await stage.call("PUT", IDENTITY, { location });
        const userAssignedIdentities = { [IDENTITY]: {} };
        const identity = { type: "UserAssigned", userAssignedIdentities };
        const { first } = await create(stage, { type: NAMESPACES, identity });
        const [shown] = Object.values(Object(first.body).identity.userAssignedIdentities);
        return Object.entries(Object(shown))
          .flatMap(([name, id]) => (id ? [name] : []))
          .toSorted();
      }),
    row(NAMESPACE, "The response to the `PUT` of a namespace's topic, and the topic read")
      .documented("`inputSchema` after the operation only, unless sent")
      .gives(
        [
          { provisioningState: "Creating", publisherType: "Custom", eventRetentionInDays: 1 },
          {
            provisioningState: "Succeeded",
            publisherType: "Custom",
            inputSchema: "CloudEventSchemaV1_0",
            eventRetentionInDays: 1,
          },
        ],
        async (stage) => {
          const { first, last } = await topicOf(stage);
          return [first, last].map(propertiesOf);
        },
      ),
    row(
      NAMESPACE,
      "The response to the `PUT` of a namespace's event subscription, and the subscription read",
    )
      .documented(
        "`expirationTimeUtc` null; the schema after the operation only; no filters or dead letters unless sent",
      )
      .gives(
        [
          {
            provisioningState: "Creating",
            deliveryConfiguration: QUEUE,
            expirationTimeUtc: null,
          },
          {
            provisioningState: "Succeeded",
            deliveryConfiguration: QUEUE,
            eventDeliverySchema: "CloudEventSchemaV1_0",
            expirationTimeUtc: null,
          },
        ],
        async (stage) => {
          const { id } = await topicOf(stage);
          const body = { properties: { deliveryConfiguration: QUEUE } };
          const { first, last } = await written(stage, `${id}/eventSubscriptions/orders`, body);
          return [first, last].map(propertiesOf);
        },
      ),
  ],
};
