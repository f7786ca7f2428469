import { finished, textIn } from "../../support/management-client.js";
import { type Area, eventGrid, type Row, type Source } from "../row.js";
import { GROUP, gridEvent, prepared, type Stage } from "../stage.js";

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
const SECURE = eventGrid(
  "secure-webhook-delivery",
  "Deliver events to Microsoft Entra protected endpoints",
);

const TOPICS = `${GROUP}/providers/Microsoft.EventGrid/topics`;
const VERSION = "?api-version=2025-02-15";

async function put(stage: Stage, topic: string, body: object) {
  await prepared(stage);
  const { status, body: answer, headers } = await stage.call("PUT", `${topic}${VERSION}`, body);
  const properties = Object(Object(answer).properties);
  return { status, code: Object(Object(answer).error).code, properties, headers, body: answer };
}

interface Write {
  readonly source: Source;
  readonly documented: string;
  readonly body: object;
  readonly at?: string;
  readonly result: readonly [number, string | undefined];
}

function write(input: string, { body, at = TOPICS, result, ...row }: Write): Row {
  return {
    ...row,
    input,
    run: async (stage) => {
      const { status, code } = await put(stage, `${at}/${stage.newName()}`, body);
      return [status, code];
    },
    result,
  };
}

/** The properties of an event subscription that was created over Resource Manager. */
async function subscription(stage: Stage, destination: object = {}, properties: object = {}) {
  const topic = await stage.newTopic({ inputSchema: "EventGridSchema" });
  const name = stage.newName();
  const path = `${topic.id}/providers/Microsoft.EventGrid/eventSubscriptions/${name}`;
  const { status, headers } = await put(stage, path, {
    properties: {
      destination: {
        endpointType: "WebHook",
        properties: { endpointUrl: "https://parity.example.com/arm?code=secret", ...destination },
      },
      ...properties,
    },
  });
  if (status !== 201) return { path, status };
  const ended = await finished((...request) => stage.call(...request), {
    status,
    headers,
    body: {},
  });
  return { path, status, operation: textIn(ended, "status") };
}

/** Publishes an event for each of two topics of a domain, and returns which of them arrive. */
async function domainEvents(stage: Stage, scopeBelow: string): Promise<unknown> {
  const domain = stage.cloud.domains.create({
    name: stage.newName(),
    resourceGroupName: "parity",
    inputSchema: "EventGridSchema",
  });
  const name = stage.newName();
  const destination = { type: "StorageQueue", queue: "parity" } as const;
  await stage.subscribe(`${domain.id}${scopeBelow}`, { name, destination });
  const events = ["foo", "bar"].map((topic) => gridEvent({ id: topic, topic }));
  await stage.publish(domain, events);
  await stage.cloud.drain();
  const arrived = stage.cloud.messages().filter(({ subscription }) => subscription === name);
  return arrived.map(({ event }) => event.id);
}

export const resourceManager: Area = {
  title: "Resource Manager",
  rows: [
    {
      source: eventGrid("input-mappings", "Create custom topic with mapped fields"),
      input: "A topic without an input schema",
      documented: "the Event Grid schema",
      run: async (stage) => {
        const path = `${TOPICS}/${stage.newName()}`;
        await put(stage, path, { location: "westeurope" });
        return Object((await stage.call("GET", path)).body).properties.inputSchema;
      },
      result: "EventGridSchema",
    },
    {
      source: eventGrid("post-to-custom-topic", "Endpoint"),
      input: "The endpoint of a topic",
      documented: "`https://TOPIC.REGION-1.eventgrid.azure.net/api/events`",
      differs: "has the host and the port of the local Azure; `TOPIC.REGION-1` is in the path",
      run: async (stage) => {
        const name = stage.newName();
        await put(stage, `${TOPICS}/${name}`, { location: "westeurope" });
        const { body } = await stage.call("GET", `${TOPICS}/${name}`);
        return new URL(Object(body).properties.endpoint).pathname.replace(name, "TOPIC");
      },
      result: "/TOPIC.westeurope-1/api/events",
    },
    write("A topic in a resource group that does not exist", {
      source: ERRORS,
      documented: "404 `ResourceGroupNotFound`",
      at: `${GROUP}-missing/providers/Microsoft.EventGrid/topics`,
      body: { location: "westeurope" },
      result: [404, "ResourceGroupNotFound"],
    }),
    write("A topic in a location that does not exist", {
      source: ERRORS,
      documented: "400 `LocationNotAvailableForResourceType`",
      body: { location: "atlantis" },
      result: [400, "LocationNotAvailableForResourceType"],
    }),
    ...[
      ["$top=101", "refused: from 1 to 100"],
      ["$filter=location eq 'westus'", "refused: only names can be compared"],
    ].map(
      ([query = "", documented = ""]): Row => ({
        source: LIST,
        input: `A list of topics with \`${query}\``,
        documented,
        run: async (stage) => {
          const path = TOPICS.replace(/\/resourceGroups\/[^/]+/i, "");
          return (await stage.call("GET", encodeURI(`${path}${VERSION}&${query}`))).status;
        },
        result: 400,
      }),
    ),
    {
      source: REGENERATE,
      input: "`regenerateKey` with `keyName` other than `key1` and `key2`",
      documented: "refused: only these two",
      run: async (stage) => {
        const path = `${(await stage.newTopic()).id}/regenerateKey${VERSION}`;
        return (await stage.call("POST", path, { keyName: "key3" })).status;
      },
      result: 400,
    },
    {
      source: ASYNC,
      input: "`DELETE` of a topic",
      documented: "202 with a header to poll",
      run: async (stage) => {
        const { id } = await stage.newTopic();
        const { status, headers } = await stage.call("DELETE", `${id}${VERSION}`);
        const names = ["azure-asyncoperation", "location"];
        return [status, names.some((name) => headers[name] !== undefined)];
      },
      result: [202, true],
    },
    {
      source: eventGrid("troubleshoot-errors", "Error code 400"),
      input: "An expiration time in the past",
      documented: "400",
      run: async (stage) =>
        (await subscription(stage, {}, { expirationTimeUtc: "2020-01-01T00:00:00Z" })).status,
      result: 400,
    },
    {
      source: eventGrid("concepts", "Event subscription expiration"),
      input: "The expiration time of an event subscription passes",
      documented:
        "the event subscription “is automatically expired”, and there is no need for “cleaning up”",
      unknown: "it gets no events, is no longer listed, and its name is free again",
      run: async (stage) => {
        const expirationTimeUtc = new Date(stage.cloud.clock.now() + 60_000).toISOString();
        const { path } = await subscription(stage, {}, { expirationTimeUtc });
        const before = await stage.call("GET", `${path}${VERSION}`);
        await stage.cloud.clock.advance({ minutes: 1 });
        const after = await stage.call("GET", `${path}${VERSION}`);
        return [before.status, after.status];
      },
      result: [200, 404],
    },
    {
      source: SECURE,
      input: "A protected webhook, written by a principal without the role or ownership",
      documented: "refused",
      run: async (stage) => {
        const { clientId } = stage.cloud.applications.create({ displayName: stage.newName() });
        const destination = { azureActiveDirectoryApplicationIdOrUri: clientId };
        const { operation } = await subscription(stage, destination);
        return operation;
      },
      result: "Failed",
    },
    {
      source: eventGrid("event-domains", "Publishing to an event domain"),
      input: "An event for a domain that names its topic",
      documented: "delivered to the subscriptions of that topic",
      run: (stage) => domainEvents(stage, "/topics/foo"),
      result: ["foo"],
    },
    {
      source: eventGrid("event-domains", "Domain scope subscriptions"),
      input: "A subscription at a domain",
      documented: "receives the events of all its topics",
      run: (stage) => domainEvents(stage, ""),
      result: ["foo", "bar"],
    },
  ],
};
