import type { Area } from "../../row.js";
import { GROUP } from "../../stage.js";
import { managed, properties, QUEUE, RECORDINGS } from "./managed.js";
import { DEAD_LETTERS, type Finding, MODEL } from "./opened.js";

const HANDLERS = {
  page: "https://github.com/MicrosoftDocs/azure-docs/blob/main/articles/event-grid/includes/namespace-event-handlers.md",
  section: "Event handlers of namespaces",
};

const webhook = (endpointUrl: string) => ({
  properties: {
    deliveryConfiguration: {
      deliveryMode: "Push",
      push: { destination: { endpointType: "WebHook", properties: { endpointUrl } } },
    },
  },
});

/** The status of an event subscription with a destination other than a webhook. */
const destination = (input: string, endpointType: string, finding: Finding) =>
  managed(HANDLERS, input, finding, 400, async ({ subscription, put }) => {
    const push = { destination: { endpointType, properties: { resourceId: "/x" } } };
    const deliveryConfiguration = { deliveryMode: "Push", push };
    return (await put(subscription, { properties: { deliveryConfiguration } })).status;
  });

export const subscriptionManagement: Area = {
  title: "Namespaces: event subscriptions in Resource Manager",
  rows: [
    managed(
      RECORDINGS,
      "The type of an event subscription",
      {
        documented:
          "`eventSubscriptions` from the service, `eventsubscriptions` in the specification",
        unknown: "`eventSubscriptions`",
      },
      "Microsoft.EventGrid/namespaces/topics/eventSubscriptions",
      async ({ subscription, put, call }) => {
        await put(subscription, QUEUE);
        return Object((await call("GET", subscription)).body).type;
      },
    ),
    managed(
      RECORDINGS,
      "The URL of a webhook, read",
      "`endpointUrl` is `null`, `endpointBaseUrl` has no query",
      [null, false],
      async ({ stage, subscription, put, call }) => {
        await put(subscription, webhook(`${stage.answering(stage.newName(), [])}?code=secret`));
        const { destination } = properties(await call("GET", subscription)).deliveryConfiguration
          .push;
        return [
          destination.properties.endpointUrl,
          destination.properties.endpointBaseUrl.includes("?"),
        ];
      },
    ),
    managed(
      MODEL,
      "`getFullUrl`",
      "the URL with its query",
      true,
      async ({ stage, subscription, put, call }) => {
        const endpointUrl = `${stage.answering(stage.newName(), [])}?code=secret`;
        await put(subscription, webhook(endpointUrl));
        return (
          Object((await call("POST", `${subscription}/getFullUrl`)).body).endpointUrl ===
          endpointUrl
        );
      },
    ),
    managed(
      MODEL,
      "`getDeliveryAttributes`",
      "the mappings, without the values of secret ones",
      [{ name: "key", type: "Static", properties: { isSecret: true, value: "Hidden" } }],
      async ({ stage, subscription, put, call }) => {
        const body = webhook(stage.answering(stage.newName(), []));
        Object.assign(body.properties.deliveryConfiguration.push.destination.properties, {
          deliveryAttributeMappings: [
            { name: "key", type: "Static", properties: { value: "secret", isSecret: true } },
          ],
        });
        await put(subscription, body);
        return Object((await call("POST", `${subscription}/getDeliveryAttributes`)).body).value;
      },
    ),
    managed(
      MODEL,
      "The state after a webhook did not consent",
      {
        documented: "the model has `CreateFailed` and `Failed`; which of them is open",
        unknown: "`CreateFailed`",
      },
      "CreateFailed",
      async ({ subscription, put, call }) => {
        await put(subscription, webhook("https://nowhere.parity.example.com/"));
        return properties(await call("GET", subscription)).provisioningState;
      },
    ),
    destination("An event hub as the destination of a namespace topic", "EventHub", {
      documented: "supported",
      differs: "refused: only webhooks",
    }),
    destination(
      "A Service Bus queue as the destination of a namespace topic",
      "ServiceBusQueue",
      "only webhooks and event hubs",
    ),
    managed(
      DEAD_LETTERS,
      "A dead-letter destination without a role of the namespace's identity",
      {
        documented: "needs `Storage Blob Data Contributor`; what happens without it is open",
        unknown: "refused with 400",
      },
      400,
      async ({ subscription, put }) => {
        const deadLetterDestination = {
          endpointType: "StorageBlob",
          properties: {
            resourceId: `${GROUP}/providers/Microsoft.Storage/storageAccounts/parity`,
            blobContainerName: "dead",
          },
        };
        const queue = {
          deadLetterDestinationWithResourceIdentity: {
            identity: { type: "SystemAssigned" },
            deadLetterDestination,
          },
        };
        const deliveryConfiguration = { deliveryMode: "Queue", queue };
        return (await put(subscription, { properties: { deliveryConfiguration } })).status;
      },
    ),
  ],
};
