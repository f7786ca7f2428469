import * as v from "valibot";
import {
  type Inputs,
  integer,
  isNamed,
  LocalCloudError,
  optional,
  required,
  ServiceError,
  text,
} from "../base/index.js";
import {
  type DashboardCloud,
  domainDetails,
  type Resources,
  resources,
  routeEndpoint,
  type SubscriptionDetails,
  subscriptionDetails,
  type TopicDetails,
  topicDetails,
} from "../dashboard/index.js";
import { accessKeyName, type EventSubscription, type Topic } from "../eventgrid/index.js";
import { ingressTable } from "../network/index.js";
import { command, commandOf, deletion, line, named, unknown } from "./command.js";
import { table } from "./output.js";

const newSubscription = v.looseObject({
  name: v.string(),
  endpointUrl: v.optional(v.string()),
  /** A topic, or the topic of the `domain`. */
  topic: v.optional(v.string()),
  domain: v.optional(v.string()),
  scope: v.optional(v.string()),
  /** Local server that serves the URL's path. */
  target: v.optional(v.string()),
});

/** Types of endpoints by their names in az. */
const endpointTypes: Readonly<Record<string, string>> = {
  webhook: "WebHook",
  storagequeue: "StorageQueue",
  servicebusqueue: "ServiceBusQueue",
  servicebustopic: "ServiceBusTopic",
  eventhub: "EventHub",
  namespacetopic: "NamespaceTopic",
  azurefunction: "AzureFunction",
};

const subscription = required(text, "<name>", "name or resource ID");

/** Commands for topics, domains, event subscriptions and the ingress table. */
export const resourceCommands = {
  "GET resources": command({
    needsToken: true,
    run: (cloud): Resources => resources(cloud),
    lines: [
      topicsLine("topics"),
      topicsLine("domains"),
      line({
        words: "subscriptions",
        help: "list, create and delete event subscriptions",
        inputs: {},
        json: ({ subscriptions }: Resources) => subscriptions,
        text: ({ subscriptions }) =>
          table(
            ["NAME", "STATE", "SCOPE", "ENDPOINT"],
            subscriptions.map(({ name, state, topic, scope, endpoint, routedTo }) => [
              name,
              state,
              topic ?? scope,
              routedTo === undefined ? endpoint : `${endpoint} -> ${routedTo}`,
            ]),
            "No event subscriptions. Create one with: npx --no cloud-eventgrid-local subscriptions create orders-webhook --topic orders --endpoint https://orders.example.com/api/events --target http://127.0.0.1:9000",
          ),
      }),
    ],
  }),

  "POST topics/create": createCommand("topics", topicDetails),
  "POST topics/delete": command({
    needsToken: true,
    inputs: { topic: required(text, "<name>", "name or resource ID") },
    run: (cloud, { topic }) => cloud.topics.delete(named("topic", cloud.topics, topic).id),
    line: deletion("topics delete", "delete a topic and its event subscriptions"),
  }),
  "POST topics/regenerate-key": command({
    needsToken: true,
    inputs: { topic: required(text), key: required(text) },
    run: (cloud, { topic, key }) =>
      (cloud.domains.get(topic) ?? named("topic", cloud.topics, topic)).regenerateKey(
        accessKeyName(key),
      ),
  }),
  "POST domains/create": createCommand("domains", domainDetails),
  "POST domains/delete": command({
    needsToken: true,
    inputs: { domain: required(text, "<name>", "name or resource ID") },
    run: (cloud, { domain }) => cloud.domains.delete(named("domain", cloud.domains, domain).id),
    line: deletion("domains delete", "delete a domain and its event subscriptions"),
  }),

  "POST subscriptions/create": commandOf(newSubscription, {
    needsToken: true,
    run: async (
      cloud,
      { topic, domain, scope, target, ...settings },
    ): Promise<SubscriptionDetails> => {
      const resolvedScope = scopeIn(cloud, { topic, domain, scope });
      const { endpointUrl } = settings;
      if (target !== undefined && endpointUrl !== undefined && URL.canParse(endpointUrl)) {
        routeEndpoint(cloud, endpointUrl, target);
      }
      const { completed, awaitingManualAction } = cloud.eventSubscriptions.beginCreation({
        ...settings,
        scope: resolvedScope,
      });
      return subscriptionDetails(cloud, await Promise.race([completed, awaitingManualAction]));
    },
    line: subscribeLine(),
  }),
  "POST subscriptions/delete": command({
    needsToken: true,
    inputs: { subscription },
    run: (cloud, { subscription }) => {
      const { scope, name } = subscriptionCalled(cloud, subscription);
      cloud.eventSubscriptions.delete(scope, name);
    },
    line: deletion("subscriptions delete", "delete an event subscription"),
  }),
  "POST handshake": command({
    needsToken: true,
    inputs: { subscription },
    run: async (cloud, { subscription }): Promise<void> => {
      const operation = cloud.eventSubscriptions.write(subscriptionCalled(cloud, subscription));
      const outcome = await Promise.race([operation.completed, operation.awaitingManualAction]);
      if (outcome.validationUrl === undefined) return;
      throw new ServiceError(
        400,
        "AwaitingManualAction",
        `The webhook did not return the validation code. Open within ten minutes: ${outcome.validationUrl}`,
      );
    },
  }),

  "GET ingress": command({
    needsToken: true,
    run: ({ ingress }) => ingress.snapshot().map(([address, target]) => ({ address, ...target })),
    line: {
      words: "ingress",
      help: "list, add and remove [public addresses](local-azure.md#public-addresses) of local servers, without a restart",
      text: (routes) =>
        table(
          ["ADDRESS", "TARGET"],
          routes.map(({ address, target }) => [address, target]),
          "No public addresses. Add one with: npx --no cloud-eventgrid-local ingress add https://orders.example.com=http://127.0.0.1:9000",
        ),
    },
  }),
  "POST ingress/add": commandOf(ingressTable, {
    needsToken: true,
    run: ({ ingress }, routes) => {
      for (const [address, target] of Object.entries(routes)) ingress.route(address, target);
    },
    line: line({
      words: "ingress add",
      help: "forward public addresses, or change their targets",
      inputs: {
        routes: required(
          v.record(v.string(), v.string()),
          "<public=target...>",
          "for example https://orders.example.com=http://127.0.0.1:9000",
          { kind: "pairs" },
        ),
      },
      body: ({ routes }) => routes,
      json: (_, { routes }) => routes,
      text: (_, { routes }) =>
        Object.entries(routes)
          .map(([address, target]) => `${address} -> ${target}`)
          .join("\n"),
    }),
  }),
  "POST ingress/remove": command({
    needsToken: true,
    inputs: { address: required(text, "<public>", "the address") },
    run: ({ ingress }, { address }) => {
      if (ingress.remove(address)) return;
      throw new ServiceError(404, "ResourceNotFound", `The ingress table has no '${address}'.`);
    },
    line: {
      words: "ingress remove",
      help: "forward a public address no longer",
      json: (_, { address }) => ({ removed: address }),
      text: (_, { address }) => `Removed ${address}.`,
    },
  }),
};

function topicsLine(collection: "topics" | "domains") {
  return line({
    words: collection,
    help: `list, create and delete ${collection}`,
    inputs: {},
    json: (found: Resources) => found[collection],
    text: ({ [collection]: found }) =>
      table(
        ["NAME", "RESOURCE GROUP", "SUBSCRIPTIONS", "ENDPOINT"],
        found.map((each) => [each.name, each.resourceGroup, each.subscriptions, each.endpoint]),
        `No ${collection}. Create one with: npx --no cloud-eventgrid-local ${collection} create orders`,
      ),
  });
}

/** The body is what `create` takes, which checks it. */
function createCommand<Details extends TopicDetails>(
  collection: "topics" | "domains",
  detailsOf: (cloud: DashboardCloud, topic: Topic) => Details,
) {
  return commandOf(
    v.custom<Parameters<DashboardCloud["topics"]["create"]>[0]>(() => true),
    {
      needsToken: true,
      run: (cloud, props) => detailsOf(cloud, cloud[collection].create(props)),
      line: createLine(collection),
    },
  );
}

function createLine(collection: "topics" | "domains") {
  return line({
    words: `${collection} create`,
    help: `create a ${collection.slice(0, -1)}`,
    inputs: {
      name: required(text, "<name>", "3 to 50 letters, digits or hyphens"),
      resourceGroupName: optional(text, "--resource-group <name>", "resource group", {
        initial: "local",
      }),
      accessKey: optional(text, "--access-key <key>", "its first key (default: a random one)"),
      inputSchema: optional(
        text,
        "--input-schema <schema>",
        "CloudEventSchemaV1_0, EventGridSchema or CustomEventSchema",
      ),
    },
    text: ({ endpoint, key1 }: TopicDetails, { name }) =>
      `Created ${name}.\nendpoint  ${endpoint}\nkey       ${key1}`,
  });
}

function subscribeLine() {
  return line({
    words: "subscriptions create",
    help: "create an event subscription",
    inputs: {
      name: required(text, "<name>", "3 to 64 letters, digits or hyphens"),
      endpoint: required(
        text,
        "--endpoint <endpoint>",
        "the webhook's https URL, or a resource ID",
      ),
      endpointType: required(text, "--endpoint-type <type>", "type of the endpoint", {
        choices: Object.keys(endpointTypes),
        initial: "webhook",
      }),
      topic: optional(text, "--topic <name>", "topic whose events to deliver"),
      domain: optional(
        text,
        "--domain <name>",
        "domain whose events to deliver, of all topics or of the --topic",
      ),
      scope: optional(
        text,
        "--scope <id>",
        "resource ID whose events to deliver, instead of a topic",
      ),
      target: optional(
        text,
        "--target <url>",
        "local server that serves the URL's path, added to the ingress table",
      ),
      clientId: optional(text, "--client-id <id>", "application that protects the webhook"),
      filter: optional(
        v.unknown(),
        "--filter <json>",
        "filter, as in LocalCloud.eventSubscriptions.create",
        { kind: "json" },
      ),
      deadLetter: optional(text, "--dead-letter <container>", "container for undeliverable events"),
      maxAttempts: optional(integer(1, 30), "--max-attempts <n>", "delivery attempts", {
        kind: "number",
      }),
    } satisfies Inputs,
    body: ({ endpoint, endpointType, deadLetter, maxAttempts, ...settings }) => {
      const hasTopic = settings.topic !== undefined || settings.domain !== undefined;
      if (hasTopic === (settings.scope !== undefined)) {
        throw new LocalCloudError("ERR_COMMAND_LINE", "Set --topic, --domain or --scope.");
      }
      if (settings.target !== undefined && endpointType !== "webhook") {
        throw new LocalCloudError(
          "ERR_COMMAND_LINE",
          `--target needs a webhook as the endpoint, not ${endpointType}.`,
        );
      }
      return {
        ...settings,
        ...endpointIn(endpointType, endpoint),
        deadLetter: deadLetter && { container: deadLetter },
        retryPolicy: maxAttempts && { maxDeliveryAttempts: maxAttempts },
      };
    },
    text: ({ validationUrl }: SubscriptionDetails, { name, endpointType }) => {
      if (validationUrl !== undefined) return manualValidationLine(name, validationUrl);
      const hasHandshake = /^(webhook|azurefunction)$/.test(endpointType);
      const consent = hasHandshake ? `: the ${endpointType.replace("azure", "")} consented` : "";
      return `Created ${name}${consent}.`;
    },
  });
}

export function manualValidationLine(name: string, validationUrl: string | undefined): string {
  return `${name} awaits manual validation: its webhook did not return the validation code. Open within ten minutes: ${validationUrl}`;
}

/** Reads the endpoint as az does: a storage queue's ID ends in `/queueServices/default/queues/NAME`. */
function endpointIn(given: string, endpoint: string): object {
  const type = endpointTypes[given];
  if (type === "WebHook") return { endpointUrl: endpoint };
  if (type !== "StorageQueue") return { destination: { type, resourceId: endpoint } };
  const [, storageAccountId, queue] =
    /^(.*)\/queueServices\/default\/queues\/([^/]+)$/i.exec(endpoint) ?? [];
  if (storageAccountId === undefined) {
    throw new LocalCloudError(
      "ERR_COMMAND_LINE",
      `The ID of a storage queue must end in /queueServices/default/queues/NAME: ${endpoint}`,
    );
  }
  return { destination: { type, storageAccountId, queue } };
}

function scopeIn(
  cloud: DashboardCloud,
  {
    topic,
    domain,
    scope = "",
  }: Pick<v.InferOutput<typeof newSubscription>, "topic" | "domain" | "scope">,
): string {
  if (domain !== undefined) {
    const { id } = named("domain", cloud.domains, domain);
    return topic === undefined ? id : `${id}/topics/${topic}`;
  }
  return topic === undefined ? scope : named("topic", cloud.topics, topic).id;
}

function subscriptionCalled(
  { eventSubscriptions }: DashboardCloud,
  nameOrId: string,
): EventSubscription {
  const [found, another] = eventSubscriptions.list().filter((each) => isNamed(each, nameOrId));
  if (found === undefined) throw unknown("event subscription", nameOrId);
  if (another === undefined) return found;
  throw new ServiceError(
    409,
    "Conflict",
    `Several event subscriptions have the name '${nameOrId}'. Use the resource ID, for example ${another.id}`,
  );
}
