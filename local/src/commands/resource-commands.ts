import * as v from "valibot";
import {
  integer,
  isNamed,
  namesIn,
  optional,
  parentOf,
  required,
  sameScope,
  sameText,
  serviceError,
  text,
} from "../base/index.js";
import {
  domainDetails,
  type Resources,
  type RunningCloud,
  resources,
  routeEndpoint,
  subscriptionDetails,
  topicDetails,
} from "../dashboard/index.js";
import {
  destinationTypes,
  type EventSubscription,
  type NewEventSubscription,
  type NewTopic,
} from "../eventgrid/index.js";
import { ingressTable } from "../network/index.js";
import {
  type CommandLine,
  command,
  commandOf,
  deletion,
  invalidLine,
  line,
  named,
  unknown,
} from "./command.js";
import { table } from "./output.js";

/** Types of endpoints; az writes them in lower case. */
const endpointTypes = destinationTypes.filter((type) => type !== "MonitorAlert");

const subscription = required(text, "<name>", "name or resource ID");

/** Commands for topics, domains, event subscriptions and the ingress table. */
export const resourceCommands = {
  "GET resources": command({
    needsToken: true,
    run: (cloud): Resources => resources(cloud),
    lines: [
      topicsLine("topics"),
      topicsLine("domains"),
      {
        words: "subscriptions",
        help: "list, create and delete event subscriptions",
        json: ({ subscriptions }) => subscriptions,
        text: ({ subscriptions }) =>
          table(
            ["NAME", "STATE", "SCOPE", "ENDPOINT"],
            subscriptions.map(({ name, state, topic, scope, endpoint, routedTo }) => [
              name,
              state,
              topic ?? scope,
              routedTo === undefined ? endpoint : `${endpoint} -> ${routedTo}`,
            ]),
            "No event subscriptions. Create one with: npx --no -- cloud-eventgrid-local subscriptions create orders-webhook --topic orders --endpoint https://orders.example.com/api/events --target http://127.0.0.1:9000",
          ),
      },
    ],
  }),

  "POST topics/create": creation("topics", topicDetails),
  "POST topics/delete": command({
    needsToken: true,
    inputs: { topic: required(text, "<name>", "name or resource ID") },
    run: (cloud, { topic }) => cloud.topics.delete(named("topic", cloud.topics, topic).id),
    line: deletion("topics delete", "delete a topic and its event subscriptions"),
  }),
  "POST domains/create": creation("domains", domainDetails),
  "POST domains/delete": command({
    needsToken: true,
    inputs: { domain: required(text, "<name>", "name or resource ID") },
    run: (cloud, { domain }) => cloud.domains.delete(named("domain", cloud.domains, domain).id),
    line: deletion("domains delete", "delete a domain and its event subscriptions"),
  }),

  "POST subscriptions/create": command({
    needsToken: true,
    inputs: {
      name: required(text, "<name>", "3 to 64 letters, digits or hyphens"),
      endpoint: required(
        text,
        "--endpoint <endpoint>",
        "the webhook's https URL, or a resource ID",
      ),
      endpointType: required(text, "--endpoint-type <type>", "type of the endpoint", {
        choices: endpointTypes.map((type) => type.toLowerCase()),
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
        // The creation checks it.
        v.custom<NewEventSubscription["filter"]>(() => true),
        "--filter <json>",
        "filter, as in LocalCloud.eventSubscriptions.create",
        { kind: "json" },
      ),
      deadLetter: optional(text, "--dead-letter <container>", "container for undeliverable events"),
      maxAttempts: optional(integer(1, 30), "--max-attempts <n>", "delivery attempts", {
        kind: "number",
      }),
    },
    run: async (cloud, { name, clientId, filter, target, ...given }) => {
      const { endpoint, endpointType, deadLetter: container, maxAttempts } = given;
      if (target !== undefined && endpointType !== "webhook") {
        throw invalidLine(`--target needs a webhook as the endpoint, not ${endpointType}.`);
      }
      const scope = scopeIn(cloud, given);
      const destination = endpointIn(endpointType, endpoint);
      if (target !== undefined && URL.canParse(endpoint)) routeEndpoint(cloud, endpoint, target);
      const { completed, awaitingManualAction } = cloud.eventSubscriptions.beginCreation({
        name,
        scope,
        ...destination,
        clientId,
        filter,
        deadLetterDestination:
          container === undefined
            ? undefined
            : { endpointType: "StorageBlob", properties: { blobContainerName: container } },
        retryPolicy: maxAttempts === undefined ? undefined : { maxDeliveryAttempts: maxAttempts },
      });
      return subscriptionDetails(cloud, await Promise.race([completed, awaitingManualAction]));
    },
    line: {
      words: "subscriptions create",
      help: "create an event subscription",
      text: ({ validationUrl }, { name, endpointType }) => {
        if (validationUrl !== undefined) return manualValidationLine(name, validationUrl);
        const hasHandshake = ["webhook", "azurefunction"].includes(endpointType);
        const consent = hasHandshake ? `: the ${endpointType.replace("azure", "")} consented` : "";
        return `Created ${name}${consent}.`;
      },
    },
  }),
  "POST subscriptions/delete": command({
    needsToken: true,
    inputs: {
      subscription,
      topic: optional(text, "--topic <name>", "topic whose event subscription to delete"),
    },
    run: (cloud, { subscription, topic }) => {
      const at = topic === undefined ? undefined : named("topic", cloud.topics, topic).id;
      const { scope, name } = subscriptionCalled(cloud, subscription, at);
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
      throw serviceError.AwaitingManualAction(
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
          "No public addresses. Add one with: npx --no -- cloud-eventgrid-local ingress add https://orders.example.com=http://127.0.0.1:9000",
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
      throw serviceError.ResourceNotFound(`The ingress table has no '${address}'.`);
    },
    line: {
      words: "ingress remove",
      help: "forward a public address no longer",
      json: (_, { address }) => ({ removed: address }),
      text: (_, { address }) => `Removed ${address}.`,
    },
  }),
};

function topicsLine(collection: "topics" | "domains"): CommandLine<unknown, Resources> {
  return {
    words: collection,
    help: `list, create and delete ${collection}`,
    json: (found) => found[collection],
    text: ({ [collection]: found }) =>
      table(
        ["NAME", "RESOURCE GROUP", "SUBSCRIPTIONS", "ENDPOINT"],
        found.map((each) => [each.name, each.resourceGroup, each.subscriptions, each.endpoint]),
        `No ${collection}. Create one with: npx --no -- cloud-eventgrid-local ${collection} create orders`,
      ),
  };
}

function creation(collection: "topics" | "domains", detailsOf: typeof topicDetails) {
  return command({
    needsToken: true,
    inputs: {
      name: required(text, "<name>", "3 to 50 letters, digits or hyphens"),
      resourceGroupName: optional(text, "--resource-group <name>", "resource group", {
        initial: "local",
      }),
      accessKey: optional(text, "--access-key <key>", "its first key (default: a random one)"),
      inputSchema: optional(
        // The creation checks it.
        v.custom<NewTopic["inputSchema"]>(() => true),
        "--input-schema <schema>",
        "CloudEventSchemaV1_0, EventGridSchema or CustomEventSchema",
      ),
    },
    run: (cloud, props) => detailsOf(cloud, cloud[collection].create(props)),
    line: {
      words: `${collection} create`,
      help: `create a ${collection.slice(0, -1)}`,
      text: ({ endpoint, key1 }, { name }) =>
        `Created ${name}.\nendpoint  ${endpoint}\nkey       ${key1}`,
    },
  });
}

export function manualValidationLine(name: string, validationUrl: string | undefined): string {
  return `${name} awaits manual validation: its webhook did not return the validation code. Open within ten minutes: ${validationUrl}`;
}

/** Reads the endpoint as az does: a storage queue's ID ends in `/queueServices/default/queues/NAME`. */
function endpointIn(
  given: string,
  endpoint: string,
): Pick<NewEventSubscription, "endpointUrl" | "destination"> {
  const endpointType = endpointTypes.find((type) => sameText(type, given));
  if (endpointType === undefined) throw invalidLine(`There is no endpoint type '${given}'.`);
  if (endpointType === "WebHook") return { endpointUrl: endpoint };
  if (endpointType !== "StorageQueue") {
    return { destination: { endpointType, properties: { resourceId: endpoint } } };
  }
  const [, , queueName] = namesIn(
    endpoint,
    "Microsoft.Storage/storageAccounts/queueServices/queues",
  );
  if (queueName !== undefined) {
    const resourceId = parentOf(parentOf(endpoint));
    return { destination: { endpointType, properties: { resourceId, queueName } } };
  }
  throw invalidLine(
    `The ID of a storage queue must end in /queueServices/default/queues/NAME: ${endpoint}`,
  );
}

function scopeIn(
  cloud: RunningCloud,
  given: {
    readonly topic?: string | undefined;
    readonly domain?: string | undefined;
    readonly scope?: string | undefined;
  },
): string {
  const { topic, domain, scope } = given;
  if ((topic ?? domain) === undefined ? scope === undefined : scope !== undefined) {
    throw invalidLine("Set --topic, --domain or --scope.");
  }
  if (domain !== undefined) {
    const { id } = named("domain", cloud.domains, domain);
    return topic === undefined ? id : `${id}/topics/${topic}`;
  }
  return scope ?? named("topic", cloud.topics, String(topic)).id;
}

function subscriptionCalled(
  { eventSubscriptions }: RunningCloud,
  nameOrId: string,
  at?: string,
): EventSubscription {
  const all = eventSubscriptions.list();
  const [found, another] = all.filter(
    (each) => isNamed(each, nameOrId) && (at === undefined || sameScope(each.scope, at)),
  );
  if (found === undefined) {
    const names = all.map(({ name, scope }) => (at === undefined ? name : `${name} at ${scope}`));
    throw unknown("event subscription", nameOrId, names);
  }
  if (another === undefined) return found;
  throw serviceError.Conflict(
    `Several event subscriptions have the name '${nameOrId}'. Use the resource ID, for example ${another.id}`,
  );
}
