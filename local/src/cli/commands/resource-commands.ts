import { type Command, Option } from "commander";
import { LocalCloudError } from "../../base/index.js";
import type {
  IngressRoute,
  Resources,
  SubscriptionDetails,
  TopicDetails,
} from "../../dashboard/index.js";
import { manualValidationLine } from "../console-log.js";
import { json, pairs, wholeNumber } from "../options.js";
import { table } from "../table.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";

/** Commands for resources: `topics`, `domains`, `subscriptions`, `ingress`. */
export function resourceCommands(terminal: Terminal): Command[] {
  return [
    topics("topics", terminal),
    topics("domains", terminal),
    subscriptions(terminal),
    ingress(terminal),
  ];
}

function topics(collection: "topics" | "domains", terminal: Terminal): Command {
  const noun = collection === "topics" ? "topic" : "domain";
  const { command, act } = clientCommand(
    collection,
    `list, create and delete ${collection}`,
    terminal,
  );
  act(async ({ instance, show }) => {
    const list = (await instance.get<Resources>("resources"))[collection];
    const text = table(
      ["NAME", "RESOURCE GROUP", "SUBSCRIPTIONS", "ENDPOINT"],
      list.map((each) => [each.name, each.resourceGroup, each.subscriptions, each.endpoint]),
    );
    show(
      list,
      list.length === 0
        ? `No ${collection}. Create one with: npx --no cloud-eventgrid-local ${collection} create orders`
        : text,
    );
  });
  const create = clientCommand("create", `create a ${noun}`, terminal);
  create.command
    .argument("<name>", "3 to 50 letters, digits or hyphens")
    .option("--resource-group <name>", "resource group", "local")
    .option("--access-key <key>", "its first key (default: a random one)")
    .option(
      "--input-schema <schema>",
      "CloudEventSchemaV1_0, EventGridSchema or CustomEventSchema",
    );
  create.act(async ({ instance, show }, options, name: string) => {
    const created = await instance.post<TopicDetails>(`${collection}/create`, {
      name,
      resourceGroupName: options.resourceGroup,
      accessKey: options.accessKey,
      inputSchema: options.inputSchema,
    });
    show(created, `Created ${name}.\nendpoint  ${created?.endpoint}\nkey       ${created?.key1}`);
  });
  const remove = clientCommand("delete", `delete a ${noun} and its event subscriptions`, terminal);
  remove.command.argument("<name>", "name or resource ID");
  remove.act(async ({ instance, show }, _, name: string) => {
    await instance.post(`${collection}/delete`, { [noun]: name });
    show({ deleted: name }, `Deleted ${name}.`);
  });
  return command.addCommand(create.command).addCommand(remove.command);
}

function subscriptions(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "subscriptions",
    "list, create and delete event subscriptions",
    terminal,
  );
  act(async ({ instance, show }) => {
    const { subscriptions } = await instance.get<Resources>("resources");
    const text = table(
      ["NAME", "STATE", "SCOPE", "ENDPOINT"],
      subscriptions.map((each) => [
        each.name,
        each.state,
        each.topic ?? each.scope,
        each.routedTo === undefined ? each.endpoint : `${each.endpoint} -> ${each.routedTo}`,
      ]),
    );
    show(
      subscriptions,
      subscriptions.length === 0
        ? "No event subscriptions. Create one with: npx --no cloud-eventgrid-local subscriptions create orders-webhook --topic orders --endpoint https://orders.example.com/api/events --target http://127.0.0.1:9000"
        : text,
    );
  });
  const create = clientCommand("create", "create an event subscription", terminal);
  create.command
    .argument("<name>", "3 to 64 letters, digits or hyphens")
    .requiredOption("--endpoint <endpoint>", "the webhook's https URL, or a resource ID")
    .addOption(
      new Option("--endpoint-type <type>", "type of the endpoint")
        .choices(types)
        .default("webhook"),
    )
    .option("--topic <name>", "topic whose events to deliver")
    .option("--domain <name>", "domain whose events to deliver, of all topics or of the --topic")
    .option("--scope <id>", "resource ID whose events to deliver, instead of a topic")
    .option("--target <url>", "local server that serves the URL's path, added to the ingress table")
    .option("--client-id <id>", "application that protects the webhook")
    .option("--filter <json>", "filter, as in LocalCloud.eventSubscriptions.create", json)
    .option("--dead-letter <container>", "container for undeliverable events")
    .option("--max-attempts <n>", "delivery attempts", wholeNumber(1, 30));
  create.act(async ({ instance, show }, options, name: string) => {
    const hasTopic = options.topic !== undefined || options.domain !== undefined;
    if (hasTopic === (options.scope !== undefined)) {
      throw new LocalCloudError("ERR_COMMAND_LINE", "Set --topic, --domain or --scope.");
    }
    const subscription = await instance.post<SubscriptionDetails>("subscriptions/create", {
      name,
      ...endpointIn(options.endpointType, options.endpoint),
      topic: options.topic,
      domain: options.domain,
      scope: options.scope,
      target: options.target,
      clientId: options.clientId,
      filter: options.filter,
      deadLetter: options.deadLetter && { container: options.deadLetter },
      retryPolicy: options.maxAttempts && { maxDeliveryAttempts: options.maxAttempts },
    });
    if (subscription?.validationUrl !== undefined) {
      show(subscription, manualValidationLine(name, subscription.validationUrl));
      return;
    }
    const hasHandshake = /^(webhook|azurefunction)$/.test(options.endpointType);
    const consent = hasHandshake
      ? `: the ${options.endpointType.replace("azure", "")} consented`
      : "";
    show(subscription, `Created ${name}${consent}.`);
  });
  const remove = clientCommand("delete", "delete an event subscription", terminal);
  remove.command.argument("<name>", "name or resource ID");
  remove.act(async ({ instance, show }, _, subscription: string) => {
    await instance.post("subscriptions/delete", { subscription });
    show({ deleted: subscription }, `Deleted ${subscription}.`);
  });
  return command.addCommand(create.command).addCommand(remove.command);
}

function ingress(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "ingress",
    "list, add and remove public addresses of local servers",
    terminal,
  );
  act(async ({ instance, show }) => {
    const routes = await instance.get<IngressRoute[]>("ingress");
    const text = table(
      ["ADDRESS", "TARGET"],
      routes.map(({ address, target }) => [address, target]),
    );
    show(
      routes,
      routes.length === 0
        ? "No public addresses. Add one with: npx --no cloud-eventgrid-local ingress add https://orders.example.com=http://127.0.0.1:9000"
        : text,
    );
  });
  const add = clientCommand("add", "forward public addresses, or change their targets", terminal);
  add.command.argument(
    "<public=target...>",
    "for example https://orders.example.com=http://127.0.0.1:9000",
    pairs("PUBLIC=TARGET"),
  );
  add.act(async ({ instance, show }, _, routes: Readonly<Record<string, string>>) => {
    await instance.post("ingress/add", routes);
    const lines = Object.entries(routes).map(([address, target]) => `${address} -> ${target}`);
    show(routes, lines.join("\n"));
  });
  const remove = clientCommand("remove", "forward a public address no longer", terminal);
  remove.command.argument("<public>", "the address");
  remove.act(async ({ instance, show }, _, address: string) => {
    await instance.post("ingress/remove", { address });
    show({ removed: address }, `Removed ${address}.`);
  });
  return command.addCommand(add.command).addCommand(remove.command);
}

/** Types of endpoints by their names in az. */
const endpointTypes = {
  webhook: "WebHook",
  storagequeue: "StorageQueue",
  servicebusqueue: "ServiceBusQueue",
  servicebustopic: "ServiceBusTopic",
  eventhub: "EventHub",
  namespacetopic: "NamespaceTopic",
  azurefunction: "AzureFunction",
} as const;
const types = Object.keys(endpointTypes);

/** Reads the endpoint as az does: a storage queue's ID ends in `/queueServices/default/queues/NAME`. */
function endpointIn(given: keyof typeof endpointTypes, endpoint: string): object {
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
