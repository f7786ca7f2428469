import { type ManagementAnswer, textIn } from "../../support/management-client.js";
import { type Area, eventGrid, type Row, row, rowsThat, type Source } from "../row.js";
import { ended, GROUP, gridEvent, prepared, type Stage } from "../stage.js";

const ERRORS: Source = {
  page: "azure/azure-resource-manager/troubleshooting/common-deployment-errors",
  section: "Error codes",
};
const ASYNC: Source = {
  page: "azure/azure-resource-manager/management/async-operations",
  section: "Status codes for asynchronous operations",
};
const LIST: Source = {
  page: "rest/api/eventgrid/controlplane/topics/list-by-subscription",
  section: "URI Parameters",
};
const REGENERATE: Source = {
  page: "rest/api/eventgrid/controlplane/topics/regenerate-key",
  section: "Request Body",
};
const PROVIDERS: Source = {
  page: "azure/azure-resource-manager/management/resource-providers-and-types",
  section: "Register resource provider",
};
const SECURE = eventGrid(
  "secure-webhook-delivery",
  "Deliver events to Microsoft Entra protected endpoints",
);

const TOPICS = `${GROUP}/providers/Microsoft.EventGrid/topics`;

/** A row about the response to the `PUT` of a new topic, in the group unless a path says otherwise. */
const creation = rowsThat(
  async (
    stage,
    { location = "westeurope", topics = TOPICS }: { location?: string; topics?: string } = {},
  ) => {
    await prepared(stage);
    return stage.call("PUT", `${topics}/${stage.newName()}`, { location });
  },
);

const errorOf = ({ status, body }: ManagementAnswer) => [status, Object(body).error?.code];

/** A row about a topic with default settings, read. */
const topic = rowsThat(async (stage) => {
  await prepared(stage);
  const name = stage.newName();
  await stage.call("PUT", `${TOPICS}/${name}`, { location: "westeurope" });
  const { body } = await stage.call("GET", `${TOPICS}/${name}`);
  return { name, properties: Object(body).properties };
});

interface Subscription {
  /** Properties of the destination. */
  readonly destination?: object;
  readonly properties?: object;
}

/** Writes an event subscription over Resource Manager. */
async function subscribe(stage: Stage, { destination, properties }: Subscription) {
  await prepared(stage);
  const { id } = await stage.newTopic({ inputSchema: "EventGridSchema" });
  const path = `${id}/providers/Microsoft.EventGrid/eventSubscriptions/${stage.newName()}`;
  const endpointUrl = "https://parity.example.com/arm?code=secret";
  const webhook = { endpointType: "WebHook", properties: { endpointUrl, ...destination } };
  const body = { properties: { destination: webhook, ...properties } };
  return { path, answer: await stage.call("PUT", path, body) };
}

/** A row about the events, of one for each of two topics of a domain, that a subscription below it gets. */
const domainEvents = rowsThat(async (stage, scopeBelow = "") => {
  const domain = stage.cloud.domains.create({
    name: stage.newName(),
    resourceGroupName: "parity",
    inputSchema: "EventGridSchema",
  });
  const name = stage.newName();
  const destination = {
    endpointType: "StorageQueue",
    properties: { queueName: "parity" },
  } as const;
  await stage.subscribe(`${domain.id}${scopeBelow}`, { name, destination });
  await stage.publish(
    domain,
    ["foo", "bar"].map((each) => gridEvent({ id: each, topic: each })),
  );
  await stage.cloud.drain();
  const arrived = stage.cloud.messages().filter(({ subscription }) => subscription === name);
  return arrived.map(({ event }) => event.id);
});

/** The types of the events, of a group and of a resource in it, that a subscription at the scope gets. */
const eventsBelow = rowsThat(async (stage, scope: string = GROUP) => {
  const name = stage.newName();
  const destination = {
    endpointType: "StorageQueue",
    properties: { queueName: "parity" },
  } as const;
  await stage.subscribe(scope, { name, destination });
  const vault = `${GROUP}/providers/Microsoft.KeyVault/vaults/parity`;
  await stage.cloud.emit("Microsoft.KeyVault.SecretExpired", { scope: vault });
  await stage.cloud.emit("Microsoft.Resources.ResourceWriteSuccess", { scope: GROUP });
  await stage.cloud.drain();
  stage.cloud.eventSubscriptions.delete(scope, name);
  const arrived = stage.cloud.messages().filter(({ subscription }) => subscription === name);
  return arrived.map(({ event }) => event.type);
});

export const resourceManager: Area = {
  title: "Resource Manager",
  rows: [
    topic(
      eventGrid("input-mappings", "Create custom topic with mapped fields"),
      "A topic without an input schema",
    )
      .documented("the Event Grid schema")
      .gives("EventGridSchema", ({ properties }) => properties.inputSchema),
    topic(eventGrid("post-to-custom-topic", "Endpoint"), "The endpoint of a topic")
      .documented("`https://TOPIC.REGION-1.eventgrid.azure.net/api/events`")
      .differs("has the host and the port of the local Azure; `TOPIC.REGION-1` is in the path")
      .gives("/TOPIC.westeurope-1/api/events", ({ name, properties }) =>
        new URL(properties.endpoint).pathname.replace(name, "TOPIC"),
      ),
    eventsBelow(
      eventGrid("event-schema-resource-groups", "Available event types"),
      "The events of a group and of a resource in it, at a subscription of the group",
    )
      .documented("management events only")
      .gives(["Microsoft.Resources.ResourceWriteSuccess"]),
    eventsBelow(
      eventGrid("event-schema-subscriptions", "Available event types"),
      "The same, at an event subscription of the Azure subscription",
    )
      .documented("management events only")
      .with(GROUP.split("/resourceGroups")[0] ?? "")
      .gives(["Microsoft.Resources.ResourceWriteSuccess"]),
    creation(ERRORS, "A topic in a resource group that does not exist")
      .documented("404 `ResourceGroupNotFound`")
      .with({ topics: TOPICS.replace("/parity/", "/parity-missing/") })
      .gives([404, "ResourceGroupNotFound"], errorOf),
    creation(ERRORS, "A topic in a location that does not exist")
      .documented("400 `LocationNotAvailableForResourceType`")
      .with({ location: "atlantis" })
      .gives([400, "LocationNotAvailableForResourceType"], errorOf),
    ...[
      ["$top=101", "refused: from 1 to 100"],
      ["$filter=location eq 'westus'", "refused: only names can be compared"],
    ].map(
      ([query = "", documented = ""]): Row =>
        row(LIST, `A list of topics with \`${query}\``)
          .documented(documented)
          .gives(400, async (stage) => {
            const path = TOPICS.replace(/\/resourceGroups\/[^/]+/i, "");
            return (await stage.call("GET", encodeURI(`${path}?${query}`))).status;
          }),
    ),
    row(REGENERATE, "`regenerateKey` with `keyName` other than `key1` and `key2`")
      .documented("refused: only these two")
      .gives(400, async (stage) => {
        const path = `${(await stage.newTopic()).id}/regenerateKey`;
        return (await stage.call("POST", path, { keyName: "key3" })).status;
      }),
    row(ASYNC, "`DELETE` of a topic")
      .documented("202 with a header to poll")
      .gives([202, true], async (stage) => {
        const { id } = await stage.newTopic();
        const { status, headers } = await stage.call("DELETE", id);
        return [status, "azure-asyncoperation" in headers || "location" in headers];
      }),
    row(eventGrid("troubleshoot-errors", "Error code 400"), "An expiration time in the past")
      .documented("400")
      .gives(400, async (stage) => {
        const properties = { expirationTimeUtc: "2020-01-01T00:00:00Z" };
        return (await subscribe(stage, { properties })).answer.status;
      }),
    row(
      eventGrid("concepts", "Event subscription expiration"),
      "The expiration time of an event subscription passes",
    )
      .documented(
        "the event subscription “is automatically expired”, and there is no need for “cleaning up”",
      )
      .unknown("it gets no events, is no longer listed, and its name is free again")
      .gives([200, 404], async (stage) => {
        const expirationTimeUtc = new Date(stage.cloud.clock.now() + 60_000).toISOString();
        const { path } = await subscribe(stage, { properties: { expirationTimeUtc } });
        const before = await stage.call("GET", path);
        await stage.cloud.clock.advance({ minutes: 1 });
        return [before.status, (await stage.call("GET", path)).status];
      }),
    row(SECURE, "A protected webhook, written by a principal without the role or ownership")
      .documented("refused")
      .gives("Failed", async (stage) => {
        const { clientId } = stage.cloud.applications.create({ displayName: stage.newName() });
        const destination = { azureActiveDirectoryApplicationIdOrUri: clientId };
        const { answer } = await subscribe(stage, { destination });
        return textIn(await ended(stage, answer), "status");
      }),
    row(PROVIDERS, "A resource provider that is registered in another Azure subscription only")
      .documented("not registered: registrations belong to one subscription")
      .differs("registered: all subscriptions of the local Azure share the registrations")
      .gives("Registered", async (stage) => {
        await prepared(stage);
        const path = `/subscriptions/${stage.otherSubscriptionId}/providers/Microsoft.EventGrid`;
        return textIn((await stage.call("GET", path)).body, "registrationState");
      }),
    domainEvents(
      eventGrid("event-domains", "Publishing to an event domain"),
      "An event for a domain that names its topic",
    )
      .documented("delivered to the subscriptions of that topic")
      .with("/topics/foo")
      .gives(["foo"]),
    domainEvents(
      eventGrid("event-domains", "Domain scope subscriptions"),
      "A subscription at a domain",
    )
      .documented("receives the events of all its topics")
      .gives(["foo", "bar"]),
  ],
};
