import type {
  Namespace,
  NamespaceSubscription,
  NewNamespaceSubscription,
} from "cloud-eventgrid-local";
import { finished } from "../../support/management-client.js";
import type { Area, Row, Source } from "../row.js";
import { cloudEvent, GROUP, SINGLE, type Stage, statusOf } from "../stage.js";

/** A page as a whole. */
function page(path: string, section: string): Source {
  return { page: `https://learn.microsoft.com/azure/event-grid/${path}`, section };
}

const PUBLISH = page("concepts-event-grid-namespaces", "Namespace concepts");
const OPERATIONS = page("subscriber-operations", "Subscriber operations");
const RETRIES = page("namespace-delivery-retry", "Namespace delivery and retry");
const DEAD_LETTERS = page(
  "dead-letter-event-subscriptions-namespace-topics",
  "Dead letters of namespace topics",
);
const FILTERS = page(
  "create-view-manage-event-subscriptions",
  "Event subscriptions of namespace topics",
);
const ROUTING = page("handler-event-grid-namespace-topic", "Namespace topics as destinations");
const LIMITS = page("quotas-limits", "Quotas and limits");
const ROLES = page("authenticate-with-entra-id-namespaces", "Entra ID for namespaces");
/** Requests and responses of the real service, which Microsoft's SDKs replay in their tests. */
const RECORDINGS: Source = {
  page: "https://github.com/Azure/azure-sdk-assets",
  section: "Recordings of the SDKs' tests",
};

const PROVIDER = `${GROUP.split("/resourceGroups")[0]}/providers/Microsoft.EventGrid`;
const VERSION = "api-version=2024-06-01";

interface Opened {
  readonly namespace: Namespace;
  readonly queue: NamespaceSubscription;
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;
}

interface Reply {
  readonly status: number;
  readonly code: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

async function open(
  stage: Stage,
  settings: Partial<NewNamespaceSubscription> = {},
): Promise<Opened> {
  const namespace = stage.cloud.namespaces.create({ name: stage.newName() });
  const topic = namespace.topics.create({ name: "orders" });
  const queue = await topic.subscriptions.create({ name: "queue", ...settings });
  const authorization = `SharedAccessKey ${namespace.accessKey}`;
  const post: Opened["post"] = async (path, body, headers = {}) => {
    const response = await fetch(`${namespace.endpoint}/topics/${path}`, {
      method: "POST",
      headers: { authorization, "content-type": SINGLE, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const code = response.headers.get("broker-errorcode");
    return { status: response.status, code, body: JSON.parse(await response.text()) };
  };
  return { namespace, queue, post };
}

const publish = ({ post }: Opened, attributes: object = {}) =>
  post(`orders:publish?${VERSION}`, cloudEvent({ data: {}, ...attributes }));

const settle = ({ post }: Opened, operation: string, ...lockTokens: string[]) =>
  post(`orders/eventsubscriptions/queue:${operation}`, { lockTokens });

const firstToken = async ({ queue }: Opened) => (await queue.receive())[0]?.lockToken ?? "";

const refused = (input: string, path: string, body: unknown, result: readonly unknown[]): Row => ({
  source: RECORDINGS,
  input,
  documented: `${result[0]} \`${result[1]}\`, in the header \`broker-errorcode\` too`,
  run: async (stage) => {
    const { status, code } = await (await open(stage)).post(path, body);
    return [status, code];
  },
  result,
});

const failedCodes = ({ body }: Reply) =>
  JSON.stringify(body)
    .match(/"code":"\w+"/g)
    ?.map((text) => text.slice(8, -1));

const refusedSetting = (
  input: string,
  source: Source,
  documented: string,
  settings: Partial<NewNamespaceSubscription>,
  open_?: { readonly unknown: string },
): Row => ({
  source,
  input,
  documented,
  ...open_,
  run: (stage) => open(stage, settings).then(() => undefined, statusOf),
  result: 400,
});

const pushed = (status: number, documented: string, outcome: string): Row => ({
  source: RETRIES,
  input: `A webhook of a namespace answers ${status}`,
  documented,
  run: async (stage) => {
    const opened = await open(stage);
    const name = stage.newName();
    const topic = opened.namespace.topics.get("orders");
    await topic?.subscriptions.create({ name, endpointUrl: stage.answering(name, [status]) });
    await publish(opened);
    await stage.cloud.drain();
    return stage.cloud.deliveries().find(({ subscription }) => subscription === name)?.outcome;
  },
  result: outcome,
});

/** An event subscription of a topic that sends an event to the queue of a namespace. */
async function routed(stage: Stage, attributes: object, identity?: object) {
  const { cloud } = stage;
  const { namespace, queue } = await open(stage);
  const source = cloud.topics.create({ name: stage.newName() });
  const name = stage.newName();
  const resourceId = `${namespace.id}/topics/orders`;
  const destination = { endpointType: "NamespaceTopic", properties: { resourceId } };
  const properties = identity
    ? { deliveryWithResourceIdentity: { identity, destination } }
    : { destination };
  await stage.call("POST", `${PROVIDER}/register?api-version=2022-09-01`);
  const path = `${source.id}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  const written = await stage.call("PUT", path, { properties });
  await finished((...request) => stage.call(...request), written);
  await fetch(source.endpoint, {
    method: "POST",
    headers: { "aeg-sas-key": source.accessKey, "content-type": SINGLE },
    body: JSON.stringify(cloudEvent(attributes)),
  });
  await cloud.drain();
  const attempt = cloud.deliveries().find(({ subscription }) => subscription === name);
  return { attempt, received: await queue.receive() };
}

export const namespaces: Area = {
  title: "Namespaces",
  rows: [
    {
      source: PUBLISH,
      input: "Binary mode: attributes in headers, `text/xml` as the body",
      documented: "the data is received as a string",
      run: async (stage) => {
        const opened = await open(stage);
        await opened.post(`orders:publish?${VERSION}`, "<a/>", {
          "content-type": "text/xml",
          ...{ "ce-id": "1", "ce-source": "/s", "ce-type": "t", "ce-specversion": "1.0" },
        });
        const [received] = await opened.queue.receive();
        return JSON.parse(received?.event.json ?? "{}").data;
      },
      result: "<a/>",
    },
    refused("An event without `source`", `orders:publish?${VERSION}`, { id: "1" }, [
      400,
      "BadRequest",
    ]),
    refused("An event without `data`", `orders:publish?${VERSION}`, cloudEvent(), [
      400,
      "BadRequest",
    ]),
    refused("An unknown topic, and an invalid body", `x:publish?${VERSION}`, "no JSON", [
      404,
      "NotFound",
    ]),
    refused(
      "`maxEvents=-20`",
      `orders/eventsubscriptions/queue:receive?${VERSION}&maxEvents=-20`,
      undefined,
      [400, "BadRequest"],
    ),
    refused(
      "`maxWaitTime=9`",
      `orders/eventsubscriptions/queue:receive?${VERSION}&maxWaitTime=9`,
      undefined,
      [400, "ArgumentInvalid"],
    ),
    {
      source: RECORDINGS,
      input: "`time` with an offset, and members of `data` in another order",
      documented: "received in UTC, and sorted",
      run: async (stage) => {
        const opened = await open(stage);
        await publish(opened, { time: "2026-01-31T00:30:00.000-07:00", data: { b: 1, a: 2 } });
        return (await opened.queue.receive())[0]?.event.json;
      },
      result:
        '{"data":{"a":2,"b":1},"id":"1","source":"/shop","specversion":"1.0","time":"2026-01-31T07:30:00Z","type":"shop.placed"}',
    },
    {
      source: OPERATIONS,
      input: "An event is received, and again after its lock has run out",
      documented: "`deliveryCount` 1, then 2",
      run: async (stage) => {
        const opened = await open(stage);
        await publish(opened);
        const [first] = await opened.queue.receive();
        await stage.cloud.clock.advance({ seconds: 60 });
        const [second] = await opened.queue.receive();
        return [first?.deliveryCount, second?.deliveryCount];
      },
      result: [1, 2],
    },
    {
      source: OPERATIONS,
      input: "`:acknowledge` with an acknowledged token and with garbage",
      documented: "at least one token must succeed",
      differs:
        "200, `TokenLost` and `BadToken`, as the service was recorded: it answers 200 even if every token fails",
      run: async (stage) => {
        const opened = await open(stage);
        await publish(opened);
        const token = await firstToken(opened);
        opened.queue.acknowledge([token]);
        const reply = await settle(opened, `acknowledge?${VERSION}`, token, "garbage");
        return [reply.status, failedCodes(reply)];
      },
      result: [200, ["TokenLost", "BadToken"]],
    },
    {
      source: OPERATIONS,
      input: "`:release` with `releaseDelayInSeconds=10`",
      documented: "available again after 10 seconds",
      run: async (stage) => {
        const opened = await open(stage);
        await publish(opened);
        await settle(
          opened,
          `release?${VERSION}&releaseDelayInSeconds=10`,
          await firstToken(opened),
        );
        const early = await opened.queue.receive();
        await stage.cloud.clock.advance({ seconds: 10 });
        return [early.length, (await opened.queue.receive()).length];
      },
      result: [0, 1],
    },
    {
      source: OPERATIONS,
      input: "`:release` with another delay, such as 11 seconds",
      documented: "open",
      unknown: "400 `ArgumentInvalid`, as for other parameters",
      run: async (stage) => {
        const opened = await open(stage);
        return (await settle(opened, `release?${VERSION}&releaseDelayInSeconds=11`, "x")).code;
      },
      result: "ArgumentInvalid",
    },
    {
      source: OPERATIONS,
      input: "`:renewLock` later than an hour after the event was received",
      documented: "refused",
      run: async (stage) => {
        const opened = await open(stage, { receiveLockDurationInSeconds: 300 });
        await publish(opened);
        const token = await firstToken(opened);
        for (let minutes = 0; minutes < 64; minutes += 4) {
          opened.queue.renewLocks([token]);
          await stage.cloud.clock.advance({ minutes: 4 });
        }
        return failedCodes(await settle(opened, `renewLock?${VERSION}`, token));
      },
      result: ["TokenLost"],
    },
    {
      source: OPERATIONS,
      input: "A request without `api-version`",
      documented: "open",
      unknown: "400 `BadRequest`",
      run: async (stage) => (await (await open(stage)).post("orders:publish", cloudEvent())).status,
      result: 400,
    },
    {
      source: OPERATIONS,
      input: "An unknown event subscription",
      documented: "open",
      unknown: "404 `NotFound`",
      run: async (stage) =>
        (await (await open(stage)).post(`orders/eventsubscriptions/x:receive?${VERSION}`)).code,
      result: "NotFound",
    },
    {
      source: LIMITS,
      input: "An event of more than 1 MB",
      documented: "refused; the status is open",
      unknown: "413",
      run: async (stage) =>
        (await publish(await open(stage), { data: "x".repeat(1024 * 1024) })).status,
      result: 413,
    },
    {
      source: ROLES,
      input: "The data action to receive events",
      documented: "open",
      unknown: "`Microsoft.EventGrid/events/receive/action`, in Data Receiver and Data Contributor",
      run: async (stage) => {
        const { namespace, post } = await open(stage);
        const { clientId, servicePrincipal } = stage.cloud.applications.create({
          displayName: stage.newName(),
        });
        const { objectId: oid } = servicePrincipal;
        const claims = { aud: "https://eventgrid.azure.net", oid };
        const authorization = `Bearer ${await stage.cloud.tokens.delivery({ clientId, claims })}`;
        const receive = async () => {
          const path = `orders/eventsubscriptions/queue:receive?${VERSION}&maxEvents=0`;
          return (await post(path, undefined, { authorization })).code;
        };
        const before = await receive();
        stage.cloud.control.assignRole("EventGrid Data Receiver", oid, namespace.id);
        return [before, await receive()];
      },
      result: ["Unauthorized", "ArgumentInvalid"],
    },
    {
      source: DEAD_LETTERS,
      input: "An event after its last delivery",
      documented: "dead-lettered; whether at the end of its lock or at the next receive is open",
      unknown: "at the end of its lock, as `deadLetterProperties` beside the `event`",
      run: async (stage) => {
        const deadLetter = { container: "dead" };
        const opened = await open(stage, { deadLetter, maxDeliveryCount: 1 });
        await publish(opened);
        await opened.queue.receive();
        await stage.cloud.clock.advance({ seconds: 60 });
        const letter = stage.cloud
          .deadLetters()
          .find(({ blob }) => blob.startsWith(`${opened.namespace.name}/`));
        if (!letter) return undefined;
        await stage.cloud.clock.advance({ milliseconds: 0 });
        const [{ deadLetterProperties }] = JSON.parse(stage.blobOf(letter));
        return [deadLetterProperties.deadletterreason, deadLetterProperties.deliveryresult];
      },
      result: [
        "Maximum delivery attempts was exceeded.",
        "Event was not acknowledged nor rejected.",
      ],
    },
    refusedSetting(
      "A filter on the data",
      FILTERS,
      "Microsoft's pages contradict each other",
      { filter: { filters: [{ key: "data.total", operatorType: "IsNotNull" }] } },
      { unknown: "refused" },
    ),
    refusedSetting("`maxDeliveryCount` of 11", RETRIES, "at most 10", { maxDeliveryCount: 11 }),
    refusedSetting(
      "`eventTimeToLive` above the retention of the topic",
      RETRIES,
      "at most the retention",
      { eventTimeToLive: "P8D" },
    ),
    pushed(204, "delivered", "delivered"),
    pushed(404, "not retried", "dropped"),
    pushed(400, "not retried", "dropped"),
    pushed(503, "retried", "retrying"),
    {
      source: ROUTING,
      input: "An event of a custom topic with a namespace topic as the destination",
      documented: "received there as a CloudEvent",
      run: async (stage) => {
        const { received } = await routed(stage, { data: {} });
        return received.map(({ event, deliveryCount }) => [event.schema, deliveryCount]);
      },
      result: [["CloudEventSchemaV1_0", 1]],
    },
    {
      source: ROUTING,
      input:
        "A namespace topic as the destination of a subscription to events of Azure services, in the Event Grid schema",
      documented: "only CloudEvents are supported",
      run: async (stage) => {
        const { namespace } = await open(stage);
        return stage.cloud.eventSubscriptions
          .create({
            name: stage.newName(),
            scope: `${GROUP}/providers/Microsoft.Storage/storageAccounts/shop`,
            destination: { type: "NamespaceTopic", resourceId: `${namespace.id}/topics/orders` },
            deliverySchema: "EventGridSchema",
          })
          .then(() => undefined, statusOf);
      },
      result: 400,
    },
    {
      source: ROUTING,
      input: "A namespace topic as the destination, with an identity that has no role",
      documented: "open",
      unknown: "received: the roles of delivery identities are not checked",
      run: async (stage) =>
        (await routed(stage, { data: {} }, { type: "SystemAssigned" })).received.length,
      result: 1,
    },
    {
      source: ROUTING,
      input: "An event without `data`, with a namespace topic as the destination",
      documented: "open",
      unknown: "refused by the namespace with 400, and dropped or dead-lettered",
      run: async (stage) => {
        const { attempt, received } = await routed(stage, {});
        return [attempt?.status, attempt?.outcome, received.length];
      },
      result: [400, "dropped", 0],
    },
  ],
};
