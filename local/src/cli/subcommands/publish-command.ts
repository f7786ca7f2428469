import type { Command } from "commander";
import { LocalCloudError } from "../../base/index.js";
import type { CommandClient } from "../../commands/index.js";
import {
  contentTypeOf,
  namespaceTargets,
  newEvent,
  type PublishTarget,
  topicTarget,
} from "../../dashboard/index.js";
import { json } from "../options.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";

/** `publish`: publishes an event, or JSON. */
export function publishCommand(terminal: Terminal): Command {
  const { command, act } = clientCommand(
    "publish",
    "publish an event to a topic or a domain",
    terminal,
  );
  command
    .argument("[json]", "an event, or an array of events, sent unchanged; - reads standard input")
    .option(
      "--topic <name>",
      "topic to publish to, or NAMESPACE/TOPIC; with --domain, the topic of the domain",
    )
    .option("--domain <name>", "domain to publish to")
    .option("--type <type>", "type of the event")
    .option("--subject <subject>", "subject of the event")
    .option(
      "--source <source>",
      "source of the event (default: /command-line, or the topic of the domain)",
    )
    .option("--id <id>", "id of the event (default: a random UUID)")
    .option("--data <json>", "data of the event", json);
  return act(async ({ instance, show }, options, given?: string) => {
    const target = await targetNamed(instance, options);
    const text =
      given === undefined
        ? newEvent(target, eventFields(options), "/command-line").text
        : given === "-"
          ? await terminal.readInput()
          : given;
    await instance.publish(target, contentTypeOf(target, text), text);
    const events = [JSON.parse(text)].flat();
    const ids = events.map(({ id }) => id);
    show({ topic: target.name, ids }, `Accepted by ${target.name}: ${ids.join(", ")}`);
  });
}

interface Options {
  readonly topic?: string;
  readonly domain?: string;
  readonly type?: string;
  readonly subject?: string;
  readonly source?: string;
  readonly id?: string;
  readonly data?: unknown;
}

function eventFields({ type, domain, topic, ...fields }: Options) {
  const domainTopic = domain === undefined ? undefined : topic;
  if (type !== undefined) return { ...fields, type, domainTopic };
  throw new LocalCloudError(
    "ERR_COMMAND_LINE",
    "Give the event's --type, or the whole event as JSON.",
  );
}

async function targetNamed(
  instance: CommandClient,
  { topic, domain }: Pick<Options, "topic" | "domain">,
): Promise<PublishTarget> {
  const wanted = domain ?? topic;
  if (wanted === undefined) {
    throw new LocalCloudError("ERR_COMMAND_LINE", "Set --topic, or --domain and its --topic.");
  }
  const collection = domain === undefined ? "topics" : "domains";
  const { [collection]: list } = await instance.call("GET resources");
  const targets = [
    ...list.map(topicTarget),
    ...(domain === undefined
      ? (await instance.call("GET namespaces")).flatMap(namespaceTargets)
      : []),
  ];
  const found = targets.find(({ name, id }) => name === wanted || id === wanted);
  if (found) return found;
  const [kind, kinds] = domain === undefined ? ["topic", "Topics"] : ["domain", "Domains"];
  const names = targets.map(({ name }) => name).join(", ") || "none";
  const [namespace, child] = wanted.split("/");
  const creation =
    domain === undefined && namespace && child
      ? `namespaces create ${namespace} --topic ${child}`
      : `${collection} create ${wanted}`;
  throw new LocalCloudError(
    "ERR_REFUSED",
    `There is no ${kind} '${wanted}'. ${kinds}: ${names}. Create it with: npx --no -- cloud-eventgrid-local ${creation}`,
  );
}
