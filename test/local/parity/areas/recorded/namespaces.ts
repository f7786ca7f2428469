import type { Area } from "../../row.js";
import type { Stage } from "../../stage.js";
import {
  extensions,
  net,
  PROVIDERS,
  pick,
  propertiesOf,
  row,
  written,
  writtenAt,
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
const QUEUE = {
  deliveryMode: "Queue",
  queue: { receiveLockDurationInSeconds: 90, maxDeliveryCount: 4, eventTimeToLive: "P1D" },
};

async function topic(stage: Stage) {
  const { id } = await written(stage, NAMESPACES, {});
  return writtenAt(stage, `${id}/topics/orders`, { properties: { eventRetentionInDays: 1 } });
}

export const namespaces: Area = {
  title: "Recorded answers: namespaces",
  rows: [
    row("The response to the `PUT` of a namespace", {
      source: NAMESPACE,
      documented: "`Creating`, TLS 1.2, no IP rules, no `topicsConfiguration`",
      run: async (stage) => {
        const { first } = await written(stage, "Microsoft.EventGrid/namespaces", {});
        const names = ["provisioningState", "minimumTlsVersionAllowed", "inboundIpRules"];
        return pick(propertiesOf(first), ...names, "topicsConfiguration");
      },
      result: {
        provisioningState: "Creating",
        minimumTlsVersionAllowed: "1.2",
        inboundIpRules: null,
      },
    }),
    row("The SKU of a namespace that is created without one", {
      source: extensions("test_namespace", 2023, "2023-06-01-preview"),
      documented: "null in the response to the `PUT`; then Standard with a capacity of 1",
      run: async (stage) => {
        const { first, last } = await written(stage, NAMESPACES, {});
        return [first, last].map(({ body }) => Object(body).sku);
      },
      result: [null, { name: "Standard", capacity: 1 }],
    }),
    row("`systemData` of a namespace, its topics and their event subscriptions", {
      source: NAMESPACE,
      documented: "null in the response to the `PUT`; then who wrote it and when",
      differs: "null: the local Azure does not keep who wrote a resource",
      run: async (stage) => {
        const { first, last } = await written(stage, NAMESPACES, {});
        return [first, last].map(({ body }) => Object(body).systemData);
      },
      result: [null, null],
    }),
    row("The user-assigned identities of a namespace", {
      source: NAMESPACE_IDENTITY,
      documented: "`principalId` and `clientId` of each, null in the response to the `PUT`",
      run: async (stage) => {
        const id = `${PROVIDERS}/Microsoft.ManagedIdentity/userAssignedIdentities/parity`;
        const identity = { type: "UserAssigned", userAssignedIdentities: { [id]: {} } };
        const { first } = await written(stage, NAMESPACES, { identity });
        return Object.values(Object(first.body).identity.userAssignedIdentities);
      },
      result: [{ principalId: null, clientId: null }],
    }),
    row("The response to the `PUT` of a namespace's topic, and the topic read", {
      source: NAMESPACE,
      documented: "`inputSchema` after the operation only, unless sent",
      run: async (stage) => {
        const { first, last } = await topic(stage);
        return [first, last].map(propertiesOf);
      },
      result: [
        { provisioningState: "Creating", publisherType: "Custom", eventRetentionInDays: 1 },
        {
          provisioningState: "Succeeded",
          publisherType: "Custom",
          inputSchema: "CloudEventSchemaV1_0",
          eventRetentionInDays: 1,
        },
      ],
    }),
    row(
      "The response to the `PUT` of a namespace's event subscription, and the subscription read",
      {
        source: NAMESPACE,
        documented:
          "`expirationTimeUtc` null; the schema after the operation only; no filters or dead letters unless sent",
        run: async (stage) => {
          const { id } = await topic(stage);
          const body = { properties: { deliveryConfiguration: QUEUE } };
          const { first, last } = await writtenAt(stage, `${id}/eventSubscriptions/orders`, body);
          return [first, last].map(propertiesOf);
        },
        result: [
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
      },
    ),
  ],
};
