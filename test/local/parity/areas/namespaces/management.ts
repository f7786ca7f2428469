import { finished, type ManagementAnswer } from "../../../support/management-client.js";
import type { Area, Row, Source } from "../../row.js";
import { GROUP, type Stage } from "../../stage.js";
import { LIMITS, MODEL, PROVIDER, page } from "./opened.js";

const HANDLERS = page("namespace-handler-webhook", "Destinations of namespaces");
const QUICKSTART = page("publish-events-using-namespace-topics", "Publish to namespace topics");
const MANAGE = page("create-view-manage-namespace-topics", "Topics of namespaces");
const NETWORK = page("configure-firewall-namespaces", "IP firewall of namespaces");
const RECORDINGS: Source = {
  page: "https://github.com/Azure/azure-sdk-assets",
  section: "Recordings of Resource Manager",
};

interface Managed {
  readonly stage: Stage;
  readonly namespace: string;
  readonly topic: string;
  readonly subscription: string;
  readonly call: Stage["call"];
  /** Writes a resource and waits for the operation. */
  readonly put: (id: string, body: object) => Promise<ManagementAnswer>;
}

const NAMESPACE = { location: "westeurope", properties: {} };

const QUEUE = {
  properties: {
    eventDeliverySchema: "CloudEventSchemaV1_0",
    deliveryConfiguration: {
      deliveryMode: "Queue",
      queue: { receiveLockDurationInSeconds: 120, maxDeliveryCount: 5, eventTimeToLive: "P1D" },
    },
  },
};

const webhook = (endpointUrl: string) => ({
  properties: {
    deliveryConfiguration: {
      deliveryMode: "Push",
      push: { destination: { endpointType: "WebHook", properties: { endpointUrl } } },
    },
  },
});

/** A namespace with a topic, written through Resource Manager. */
async function manage(stage: Stage): Promise<Managed> {
  const call: Stage["call"] = (...request) => stage.call(...request);
  await call("POST", `${PROVIDER}/register?api-version=2022-09-01`);
  await call("PUT", GROUP, { location: "westeurope" });
  const put: Managed["put"] = async (id, body) => {
    const answer = await call("PUT", id, body);
    if (answer.status < 300) await finished(call, answer);
    return answer;
  };
  const namespace = `${GROUP}/providers/Microsoft.EventGrid/namespaces/${stage.newName()}`;
  const topic = `${namespace}/topics/orders`;
  await put(namespace, NAMESPACE);
  await put(topic, { properties: {} });
  const subscription = `${topic}/eventSubscriptions/orders`;
  return { stage, namespace, topic, subscription, call, put };
}

function managed(
  source: Source,
  input: string,
  finding: string | Pick<Row, "documented" | "differs" | "unknown">,
  result: unknown,
  run: (managed: Managed) => Promise<unknown>,
): Row {
  return {
    source,
    input,
    ...(typeof finding === "string" ? { documented: finding } : finding),
    run: async (stage) => run(await manage(stage)),
    result,
  };
}

/** The status of writing a namespace with these fields. */
const written = (
  source: Source,
  input: string,
  finding: string | Pick<Row, "documented" | "differs" | "unknown">,
  result: number,
  body: object,
  name?: string,
): Row =>
  managed(source, input, finding, result, async ({ stage, put }) => {
    const id = `${GROUP}/providers/Microsoft.EventGrid/namespaces/${name ?? stage.newName()}`;
    return (await put(id, { ...NAMESPACE, ...body })).status;
  });

const properties = ({ body }: ManagementAnswer) => Object(body).properties;

export const management: Area = {
  title: "Namespaces: Resource Manager",
  rows: [
    written(MODEL, "A name of a namespace with 2 characters", "3 to 50", 400, {}, "ab"),
    written(
      QUICKSTART,
      "A name of a namespace that starts with `EventGrid`",
      "refused",
      400,
      {},
      "EventGrid-shop",
    ),
    managed(
      QUICKSTART,
      "The name of a namespace in another location",
      "unique in a location only",
      201,
      async ({ namespace, call, put }) => {
        const other = namespace.replace("/parity/", "/parity-north/");
        await call("PUT", other.split("/providers")[0] ?? "", { location: "northeurope" });
        return (await put(other, { ...NAMESPACE, location: "northeurope" })).status;
      },
    ),
    managed(
      QUICKSTART,
      "The name of a namespace in the same location, in another resource group",
      "refused",
      409,
      async ({ namespace, call, put }) => {
        const other = namespace.replace("/parity/", "/parity-two/");
        await call("PUT", other.split("/providers")[0] ?? "", { location: "westeurope" });
        return (await put(other, NAMESPACE)).status;
      },
    ),
    written(
      LIMITS,
      "A capacity of 40 throughput units",
      {
        documented: "at most 20 in the model; the limit is 40",
        unknown: "accepted",
      },
      201,
      { sku: { name: "Standard", capacity: 40 } },
    ),
    written(LIMITS, "A capacity of 41 throughput units", "refused", 400, {
      sku: { name: "Standard", capacity: 41 },
    }),
    written(MODEL, "A SKU other than `Standard`", "refused", 400, { sku: { name: "Premium" } }),
    written(
      NETWORK,
      "A namespace without public network access, or with IP rules",
      {
        documented: "other clients get 403",
        differs: "stored, and not applied: the clients are on this machine",
      },
      201,
      {
        properties: {
          publicNetworkAccess: "Disabled",
          inboundIpRules: [{ ipMask: "10.0.0.0/8", action: "Allow" }],
        },
      },
    ),
    written(
      LIMITS,
      "More than 16 IP rules",
      {
        documented: "refused",
        differs: "accepted: rules are not applied",
      },
      201,
      {
        properties: {
          inboundIpRules: Array.from({ length: 17 }, (_, index) => ({
            ipMask: `10.0.0.${index}`,
            action: "Allow",
          })),
        },
      },
    ),
    managed(
      LIMITS,
      "More topics or event subscriptions than the quotas allow",
      {
        documented: "refused above 100 topics per throughput unit and 500 subscriptions of a topic",
        differs: "accepted",
      },
      201,
      async ({ namespace, stage, put }) => {
        const topics = stage.cloud.namespaces.get(namespace)?.topics;
        for (let number = 0; number < 100; number++) topics?.create({ name: `topic-${number}` });
        return (await put(`${namespace}/topics/one-more`, { properties: {} })).status;
      },
    ),
    managed(
      RECORDINGS,
      "`topicsConfiguration.hostname`",
      {
        documented: "`NAMESPACE.REGION-1.eventgrid.azure.net`",
        differs:
          "that host for clients of the proxy; otherwise with a port and a path, so that `https://` before it makes the endpoint",
      },
      true,
      async ({ namespace, stage, call }) => {
        const { hostname } = properties(await call("GET", namespace)).topicsConfiguration;
        const name = namespace.split("/").at(-1);
        return hostname === `${new URL(stage.cloud.control.origin).host}/${name}.westeurope-1`;
      },
    ),
    managed(
      RECORDINGS,
      "`PUT` of a namespace",
      {
        documented: "201 with the state `Creating`, `Azure-AsyncOperation` and `Retry-After: 10`",
        differs: "the operation has succeeded at the first poll, so that clients do not wait",
      },
      [201, "Succeeded", true],
      async ({ namespace, stage, call }) => {
        const id = namespace.replace(/[^/]+$/, stage.newName());
        const answer = await call("PUT", id, NAMESPACE);
        const operation = await finished(call, answer);
        return [answer.status, Object(operation).status, "azure-asyncoperation" in answer.headers];
      },
    ),
    managed(
      MODEL,
      "`GET` before the creation",
      "404",
      404,
      async ({ subscription, call }) => (await call("GET", subscription)).status,
    ),
    managed(
      MODEL,
      "The properties of a topic",
      "`Custom`, `CloudEventSchemaV1_0`",
      ["Custom", "CloudEventSchemaV1_0"],
      async ({ topic, call }) => {
        const { publisherType, inputSchema } = properties(await call("GET", topic));
        return [publisherType, inputSchema];
      },
    ),
    managed(
      MODEL,
      "A topic with `inputSchema: EventGridSchema`",
      "only `CloudEventSchemaV1_0`",
      400,
      async ({ topic, put }) =>
        (await put(topic, { properties: { inputSchema: "EventGridSchema" } })).status,
    ),
    managed(
      MODEL,
      "`listKeys` and `regenerateKey` of a namespace and of a topic",
      "200 with `key1` and `key2`",
      [true, true],
      async ({ namespace, topic, call }) => {
        const isReplaced = async (id: string) => {
          const before = await call("POST", `${id}/listKeys`);
          const after = await call("POST", `${id}/regenerateKey`, { keyName: "key1" });
          const [old, now] = [Object(before.body), Object(after.body)];
          return after.status === 200 && old.key1 !== now.key1 && old.key2 === now.key2;
        };
        return [await isReplaced(namespace), await isReplaced(topic)];
      },
    ),
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
      "Fields of a queue that are not set",
      "`null`",
      [null, null, null],
      async ({ subscription, put, call }) => {
        await put(subscription, QUEUE);
        const { deliveryConfiguration, expirationTimeUtc, filtersConfiguration } = properties(
          await call("GET", subscription),
        );
        return [
          deliveryConfiguration.queue.deadLetterDestinationWithResourceIdentity,
          expirationTimeUtc,
          filtersConfiguration.includedEventTypes,
        ];
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
      "one of `CreateFailed` and `Failed`",
      "CreateFailed",
      async ({ subscription, put, call }) => {
        await put(subscription, webhook("https://nowhere.parity.example.com/"));
        return properties(await call("GET", subscription)).provisioningState;
      },
    ),
    managed(
      HANDLERS,
      "An event hub as the destination of a namespace topic",
      {
        documented: "supported",
        differs: "refused: only webhooks",
      },
      400,
      async ({ subscription, put }) => {
        const destination = { endpointType: "EventHub", properties: { resourceId: "/x" } };
        const deliveryConfiguration = { deliveryMode: "Push", push: { destination } };
        return (await put(subscription, { properties: { deliveryConfiguration } })).status;
      },
    ),
    managed(
      HANDLERS,
      "A Service Bus queue as the destination of a namespace topic",
      "only webhooks and event hubs",
      400,
      async ({ subscription, put }) => {
        const destination = { endpointType: "ServiceBusQueue", properties: { resourceId: "/x" } };
        const deliveryConfiguration = { deliveryMode: "Push", push: { destination } };
        return (await put(subscription, { properties: { deliveryConfiguration } })).status;
      },
    ),
    managed(
      MODEL,
      "A dead-letter destination without a role of the namespace's identity",
      "needs `Storage Blob Data Contributor`",
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
    managed(
      MANAGE,
      "A namespace is deleted",
      "202, with everything in it",
      [202, 404, 404],
      async ({ namespace, topic, subscription, put, call }) => {
        await put(subscription, QUEUE);
        const deleted = await call("DELETE", namespace);
        await finished(call, deleted);
        return [
          deleted.status,
          (await call("GET", topic)).status,
          (await call("GET", subscription)).status,
        ];
      },
    ),
  ],
};
