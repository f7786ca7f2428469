import { type Area, rowsThat } from "../../row.js";
import { GROUP } from "../../stage.js";
import { manage, managed, properties, QUEUE, RECORDINGS } from "./managed.js";
import { DEAD_LETTERS, MODEL } from "./opened.js";

const HANDLERS = {
  page: "https://github.com/MicrosoftDocs/azure-docs/blob/main/articles/event-grid/includes/namespace-event-handlers.md",
  section: "Event handlers of namespaces",
};

const ACCOUNT = `${GROUP}/providers/Microsoft.Storage/storageAccounts/parity`;

const DEAD_LETTERING = {
  deadLetterDestinationWithResourceIdentity: {
    identity: { type: "SystemAssigned" },
    deadLetterDestination: {
      endpointType: "StorageBlob",
      properties: {
        resourceId: ACCOUNT,
        blobContainerName: "dead",
      },
    },
  },
};

const push = (endpointType: string, properties: object) => ({
  properties: {
    deliveryConfiguration: {
      deliveryMode: "Push",
      push: { destination: { endpointType, properties } },
    },
  },
});

/** A row about an event subscription to a webhook that consents, with properties of the destination. */
const webhook = rowsThat(async (stage, properties: object = {}) => {
  const { subscription, put, call } = await manage(stage);
  const endpointUrl = `${stage.answering(stage.newName(), [])}?code=secret`;
  await put(subscription, push("WebHook", { endpointUrl, ...properties }));
  return { endpointUrl, subscription, call };
});

/** The status of an event subscription with these properties. */
const status = rowsThat(async (stage, body: object = {}) => {
  const { subscription, put } = await manage(stage);
  await stage.call("PUT", ACCOUNT, { location: "westeurope" });
  return (await put(subscription, body)).status;
});

export const subscriptionManagement: Area = {
  title: "Namespaces: event subscriptions in Resource Manager",
  rows: [
    ...[
      { deliveryMode: "Queue", queue: {}, push: {} },
      { deliveryMode: "Push", queue: {}, push: {} },
    ].map((deliveryConfiguration) =>
      status(
        {
          page: "rest/api/eventgrid/controlplane/namespace-topic-event-subscriptions/create-or-update",
          section: "DeliveryConfiguration",
          quote: "This property should be populated when deliveryMode is",
        },
        `A subscription in the mode ${deliveryConfiguration.deliveryMode} with both parts, \`queue\` and \`push\``,
      )
        .documented("each part is for one mode; the refusal is open")
        .unknown("400")
        .with({ properties: { deliveryConfiguration } })
        .gives(400),
    ),
    managed(RECORDINGS, "The type of an event subscription")
      .documented(
        "`eventSubscriptions` from the service, `eventsubscriptions` in the specification",
      )
      .unknown("`eventSubscriptions`")
      .gives(
        "Microsoft.EventGrid/namespaces/topics/eventSubscriptions",
        async ({ subscription, put, call }) => {
          await put(subscription, QUEUE);
          return Object((await call("GET", subscription)).body).type;
        },
      ),
    webhook(RECORDINGS, "The URL of a webhook, read")
      .documented("`endpointUrl` is `null`, `endpointBaseUrl` has no query")
      .gives([null, false], async ({ subscription, call }) => {
        const { deliveryConfiguration } = properties(await call("GET", subscription));
        const { endpointUrl, endpointBaseUrl } = deliveryConfiguration.push.destination.properties;
        return [endpointUrl, endpointBaseUrl.includes("?")];
      }),
    webhook(MODEL, "`getFullUrl`")
      .documented("the URL with its query")
      .gives(true, async ({ endpointUrl, subscription, call }) => {
        const { body } = await call("POST", `${subscription}/getFullUrl`);
        return Object(body).endpointUrl === endpointUrl;
      }),
    webhook(MODEL, "`getDeliveryAttributes`")
      .documented("the mappings, without the values of secret ones")
      .with({
        deliveryAttributeMappings: [
          { name: "key", type: "Static", properties: { value: "secret", isSecret: true } },
        ],
      })
      .gives(
        [{ name: "key", type: "Static", properties: { isSecret: true, value: "Hidden" } }],
        async ({ subscription, call }) =>
          Object((await call("POST", `${subscription}/getDeliveryAttributes`)).body).value,
      ),
    managed(MODEL, "The state after a webhook did not consent")
      .documented("the model has `CreateFailed` and `Failed`; which of them is open")
      .unknown("`CreateFailed`")
      .gives("CreateFailed", async ({ subscription, put, call }) => {
        await put(
          subscription,
          push("WebHook", { endpointUrl: "https://nowhere.parity.example.com/" }),
        );
        return properties(await call("GET", subscription)).provisioningState;
      }),
    status(HANDLERS, "An event hub as the destination of a namespace topic")
      .documented("supported")
      .differs("refused: only webhooks")
      .with(push("EventHub", { resourceId: "/x" }))
      .gives(400),
    status(HANDLERS, "A Service Bus queue as the destination of a namespace topic")
      .documented("only webhooks and event hubs")
      .with(push("ServiceBusQueue", { resourceId: "/x" }))
      .gives(400),
    status(DEAD_LETTERS, "A dead-letter destination without a role of the namespace's identity")
      .documented("needs `Storage Blob Data Contributor`; what happens without it is open")
      .unknown("refused with 400")
      .with({
        properties: { deliveryConfiguration: { deliveryMode: "Queue", queue: DEAD_LETTERING } },
      })
      .gives(400),
  ],
};
