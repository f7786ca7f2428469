import type { Command } from "commander";
import { LocalCloudError } from "../../base/index.js";
import type { NamespaceDetails, ReceivedEventDetails } from "../../dashboard/index.js";
import type { LockResult } from "../../eventgrid/index.js";
import { json, wholeNumber } from "../options.js";
import { clockTime, table } from "../table.js";
import type { Terminal } from "../terminal.js";
import { type Client, clientCommand } from "./client-command.js";

/** Commands for namespaces: `namespaces`, `receive`, `acknowledge`, `release`, `reject`, `renew-locks`. */
export function namespaceCommands(terminal: Terminal): Command[] {
  return [
    namespaces(terminal),
    receive(terminal),
    settlement(terminal, "acknowledge", "settle received events for good"),
    settlement(terminal, "release", "make received events available again"),
    settlement(terminal, "reject", "dead-letter received events, or drop them"),
    settlement(terminal, "renewLocks", "lock received events for the whole duration again"),
  ];
}

function namespaces(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "namespaces",
    "list, create and delete namespaces with their topics and queues",
    terminal,
  );
  act(async ({ instance, show }) => {
    const found = await instance.get<NamespaceDetails[]>("namespaces");
    show(found, found.length === 0 ? NO_NAMESPACES : namespaceTable(found));
  });
  const create = clientCommand(
    "create",
    "create a namespace, or a topic and a queue in an existing one",
    terminal,
  );
  create.command
    .argument("<name>", "3 to 50 letters, digits or hyphens")
    .option("--resource-group <name>", "resource group", "local")
    .option("--topic <name>", "topic in the namespace")
    .option("--queue <name>", "event subscription of the topic, from which events are received")
    .option("--lock-seconds <n>", "lock of a received event (default: 60)", wholeNumber(60, 300))
    .option("--max-deliveries <n>", "deliveries of an event (default: 10)", wholeNumber(1, 10))
    .option("--time-to-live <duration>", "ISO 8601 duration, such as PT30M or P1D")
    .option("--filter <json>", "filter, with includedEventTypes and filters", json)
    .option("--dead-letter <container>", "container for events that leave unhandled");
  create.act(async ({ instance, show }, options, name: string) => {
    const { topic, queue } = options;
    if (queue !== undefined && topic === undefined) {
      throw new LocalCloudError(
        "ERR_COMMAND_LINE",
        "--queue needs the --topic that it belongs to.",
      );
    }
    const created = await instance.post<NamespaceDetails>("namespaces/create", {
      name,
      resourceGroupName: options.resourceGroup,
      topic: topic && { name: topic },
      subscription: queue && {
        name: queue,
        receiveLockDurationInSeconds: options.lockSeconds,
        maxDeliveryCount: options.maxDeliveries,
        eventTimeToLive: options.timeToLive,
        filter: options.filter,
        deadLetter: options.deadLetter && { container: options.deadLetter },
      },
    });
    const path = [name, topic, queue].filter((part) => part !== undefined).join("/");
    show(created, `Created ${path}.\nendpoint  ${created?.endpoint}\nkey       ${created?.key1}`);
  });
  const remove = clientCommand("delete", "delete a namespace and everything in it", terminal);
  remove.command.argument("<name>", "name or resource ID");
  remove.act(async ({ instance, show }, _, namespace: string) => {
    await instance.post("namespaces/delete", { namespace });
    show({ deleted: namespace }, `Deleted ${namespace}.`);
  });
  return command.addCommand(create.command).addCommand(remove.command);
}

const NO_NAMESPACES =
  "No namespaces. Create one with: npx --no cloud-eventgrid-local namespaces create shop --topic orders --queue orders-service";

function namespaceTable(found: readonly NamespaceDetails[]): string {
  const rows = found.flatMap((namespace) =>
    namespace.topics.flatMap((topic) =>
      topic.subscriptions.map((each) => [
        `${namespace.name}/${topic.name}/${each.name}`,
        each.deliveryMode,
        each.waiting,
        each.locked,
        each.delayed,
        each.acknowledged,
        each.oldest === undefined ? "" : clockTime(each.oldest),
      ]),
    ),
  );
  const endpoints = table(
    ["NAMESPACE", "TOPICS", "ENDPOINT"],
    found.map(({ name, topics, endpoint }) => [
      name,
      topics.map((topic) => topic.name).join(", "),
      endpoint,
    ]),
  );
  if (rows.length === 0) return endpoints;
  const columns = [
    "SUBSCRIPTION",
    "MODE",
    "WAITING",
    "LOCKED",
    "DELAYED",
    "ACKNOWLEDGED",
    "OLDEST",
  ];
  return `${endpoints}\n${table(columns, rows)}`;
}

const SUBSCRIPTION = "NAMESPACE/TOPIC/NAME, or a resource ID";

function receive(terminal: Terminal): Command {
  const { command, act } = clientCommand("receive", "lock events of a queue", terminal);
  command
    .argument("<subscription>", SUBSCRIPTION)
    .option("--max-events <n>", "events to lock", wholeNumber(1, 100), 1)
    .option("--wait <seconds>", "how long to wait for the first one", wholeNumber(0, 120), 0)
    .option("--acknowledge", "settle the events at once");
  return act(async (client, { maxEvents, wait, acknowledge }, subscription: string) => {
    const body = { subscription, maxEvents, waitSeconds: wait };
    const post = client.instance.post<ReceivedEventDetails[]>("namespaces/receive", body);
    const events = (await post) ?? [];
    const lockTokens = events.map(({ lockToken }) => lockToken);
    if (acknowledge && events.length > 0) {
      await settle(client, { subscription, operation: "acknowledge", lockTokens });
    }
    const lines = events.map(({ event, lockToken, deliveryCount }) => [
      `${JSON.stringify(event)}\n`,
      acknowledge ? "" : `  delivery ${deliveryCount}  ${lockToken}\n`,
    ]);
    client.show(events, events.length === 0 ? "No events." : lines.flat().join(""));
  });
}

type Operation = "acknowledge" | "release" | "reject" | "renewLocks";

function settlement(terminal: Terminal, operation: Operation, description: string): Command {
  const name = operation === "renewLocks" ? "renew-locks" : operation;
  const { command, act } = clientCommand(name, description, terminal);
  command.argument("<subscription>", SUBSCRIPTION).argument("<tokens...>", "lock tokens");
  if (operation === "release") {
    command.option("--delay <seconds>", "before they can be received", wholeNumber(0, 3600), 0);
  }
  return act(async (client, { delay }, subscription: string, lockTokens: readonly string[]) => {
    const result = await settle(client, {
      subscription,
      operation,
      lockTokens,
      delaySeconds: delay,
    });
    client.show(result, `Succeeded: ${result.succeededLockTokens.length}`);
    if (result.failedLockTokens.length === 0) return;
    const failures = result.failedLockTokens.map(
      ({ lockToken, error }) => `${lockToken}: ${error.message}`,
    );
    throw new LocalCloudError("ERR_REFUSED", failures.join("\n"));
  });
}

async function settle(
  { instance }: Client,
  body: {
    readonly subscription: string;
    readonly operation: Operation;
    readonly lockTokens: readonly string[];
    readonly delaySeconds?: number;
  },
): Promise<LockResult> {
  const result = await instance.post<LockResult>("namespaces/settle", body);
  return result ?? { succeededLockTokens: [], failedLockTokens: [] };
}
