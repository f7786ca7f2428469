import { Command, Option } from "commander";
import type { EventFlags, TopicFlags } from "../publishing/index.js";
import { jsonText, type Terminal, UsageError } from "../terminal/index.js";

interface PublishFlags extends EventFlags, TopicFlags {
  /** Refused, so that nobody asks what to give instead. */
  readonly accessKey?: string;
  readonly json?: true;
}

/** `cloud-eventgrid publish`: publishes one event to a topic. */
export function publishCommand(terminal: Terminal): Command {
  const { out } = terminal;
  return new Command("publish")
    .description("Publish one event to a topic in Azure")
    .requiredOption("--type <type>", "the event's type")
    .option("--data <json>", "the event's data: JSON, @file, or @- for standard input")
    .option("--subject <text>", "the event's subject")
    .option("--source <uri>", "the event's source (default: the binding's name)")
    .option("--id <id>", "the event's id (default: a new one)")
    .option("--env <prefix>", "the topic of a binding in environment variables")
    .option("--dotenv <file>", "a file with environment variables for --env")
    .option("--topic <endpoint>", "the topic's endpoint")
    .option("--access-key-env <variable>", "environment variable with the topic's access key")
    .addOption(new Option("--access-key <key>").hideHelp())
    .option("--entra", "sign in to the topic with @azure/identity")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async ({ accessKey, ...flags }: PublishFlags) => {
      if (accessKey !== undefined) {
        throw new UsageError(
          "other programs can read arguments: put the key into a variable, and give --access-key-env <variable>",
        );
      }
      const { publishEvent, readEvent, readTopic } = await import("../publishing/index.js");
      const topic = readTopic(flags, terminal);
      const event = await readEvent(flags, terminal, topic.name);
      terminal.progress(`publishing to ${topic.endpoint}`);
      const id = await publishEvent(topic, event);
      if (flags.json) out(jsonText({ ok: true, id, topic: topic.endpoint }));
      else out(`${topic.endpoint} accepted the event ${id}.\n`);
    });
}

const HELP = `
Every subscription of the topic whose filter matches receives the event.

Examples:
  cloud-eventgrid publish --env ORDERS --type shop.order.placed \\
    --data @order.json
  echo '{"orderId":"17"}' | cloud-eventgrid publish --env ORDERS \\
    --dotenv .env --type shop.order.placed --data @-

Exit codes:
  0  the topic accepted the event
  1  the topic refused the event, or cannot be reached
  2  the arguments are wrong`;
