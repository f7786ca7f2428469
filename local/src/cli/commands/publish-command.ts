import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { LocalCloudError } from "../../base/index.js";
import type { TopicDetails } from "../../dashboard/index.js";
import { json } from "../options.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";
import type { Instance } from "./instance.js";

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
    const topic = await topicNamed(instance, options);
    const domainTopic = options.domain === undefined ? undefined : options.topic;
    const isCloudEvent = topic.inputSchema === "CloudEventSchemaV1_0";
    const text =
      given === undefined
        ? JSON.stringify(
            isCloudEvent
              ? cloudEvent(options, domainTopic)
              : [eventGridEvent(options, domainTopic)],
          )
        : given === "-"
          ? await terminal.readInput()
          : given;
    const isArray = text.trimStart().startsWith("[");
    const cloudEvents = `application/cloudevents${isArray ? "-batch" : ""}+json`;
    await instance.publish(topic, isCloudEvent ? cloudEvents : "application/json", text);
    const events = [JSON.parse(text)].flat();
    const ids = events.map(({ id }) => id);
    show({ topic: topic.name, ids }, `Accepted by ${topic.name}: ${ids.join(", ")}`);
  });
}

interface EventFields {
  readonly type?: string;
  readonly subject?: string;
  readonly source?: string;
  readonly id?: string;
  readonly data?: unknown;
}

function cloudEvent(fields: EventFields, domainTopic: string | undefined) {
  return {
    specversion: "1.0",
    id: fields.id ?? randomUUID(),
    source: fields.source ?? domainTopic ?? "/command-line",
    type: typeOf(fields),
    ...(fields.subject === undefined ? {} : { subject: fields.subject }),
    time: new Date().toISOString(),
    ...(fields.data === undefined ? {} : { data: fields.data }),
  };
}

function eventGridEvent(fields: EventFields, domainTopic: string | undefined) {
  return {
    ...(domainTopic === undefined ? {} : { topic: domainTopic }),
    id: fields.id ?? randomUUID(),
    eventType: typeOf(fields),
    subject: fields.subject ?? fields.source ?? "/command-line",
    eventTime: new Date().toISOString(),
    data: fields.data ?? {},
    dataVersion: "1.0",
  };
}

function typeOf({ type }: EventFields): string {
  if (type !== undefined) return type;
  throw new LocalCloudError(
    "ERR_COMMAND_LINE",
    "Give the event's --type, or the whole event as JSON.",
  );
}

type PublishTarget = Pick<TopicDetails, "name" | "endpoint" | "inputSchema" | "publishKey">;

async function topicNamed(
  instance: Instance,
  { topic, domain }: { readonly topic?: string; readonly domain?: string },
): Promise<PublishTarget> {
  const wanted = domain ?? topic;
  if (wanted === undefined) {
    throw new LocalCloudError("ERR_COMMAND_LINE", "Set --topic, or --domain and its --topic.");
  }
  const [collection, noun] =
    domain === undefined ? ["topics" as const, "topic"] : ["domains" as const, "domain"];
  const list = (await instance.call("GET resources"))[collection];
  const found =
    list.find(({ name, id }) => name === wanted || id === wanted) ??
    (domain === undefined ? await namespaceTopicNamed(instance, wanted) : undefined);
  if (found) return found;
  const names = list.map(({ name }) => name).join(", ") || "none";
  throw new LocalCloudError(
    "ERR_REFUSED",
    `There is no ${noun} '${wanted}'. ${noun === "topic" ? "Topics" : "Domains"}: ${names}. Create it with: npx --no cloud-eventgrid-local ${collection} create ${wanted}`,
  );
}

async function namespaceTopicNamed(
  instance: Instance,
  name: string,
): Promise<PublishTarget | undefined> {
  const namespaces = await instance.call("GET namespaces");
  return namespaces
    .flatMap((namespace) =>
      namespace.topics.map((topic) => ({
        name: `${namespace.name}/${topic.name}`,
        id: topic.id,
        endpoint: `${namespace.endpoint}/topics/${topic.name}:publish?api-version=2024-06-01`,
        inputSchema: "CloudEventSchemaV1_0",
        publishKey: topic.key1,
      })),
    )
    .find((topic) => topic.name === name || topic.id === name);
}
