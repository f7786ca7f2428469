import { Command, Option } from "commander";
import { wholeNumber } from "../arguments.js";
import { CLOUDS } from "../cloud.js";
import type { ListenEnvironment, ListenFlags } from "../listen/index.js";
import type { Terminal } from "../terminal/index.js";

/** `cloud-eventgrid listen`: delivers events of Azure to a service on this machine. */
export function listenCommand(
  terminal: Terminal,
  end: (exitCode: number) => void,
  environment: ListenEnvironment = {},
): Command {
  return new Command("listen")
    .description("Deliver events of Azure to a service on this machine")
    .argument("[service]", "its port, or its URL (default: that of --env)")
    .requiredOption("--scope <id>", "resource ID of the topic or another source of events")
    .option("--storage-account <id>", "the storage account for a temporary queue")
    .option("--event-types <types...>", "only events of these types")
    .option("--subject-begins-with <text>", "only events with such a subject")
    .option("--subject-ends-with <text>", "only events with such a subject")
    .option("--record <file>", "append the events to a file, one JSON object per line")
    .option("--env <prefix>", "the service's binding in environment variables")
    .option("--dotenv <file>", "a file with environment variables for --env")
    .option("--webhook-application <id>", "client ID of the service's application")
    .option("--local-port <port>", "port of the local Azure", wholeNumber(1, 65_535))
    .option("--clean", "delete what a listen that was killed has left behind")
    .addOption(new Option("--cloud <name>", "Azure cloud").choices(CLOUDS).default("public"))
    .option("--tenant <id>", "the Entra tenant to sign in to")
    .addHelpText("after", HELP)
    .action(async (service: string | undefined, flags: ListenFlags) => {
      const { clean, listen } = await import("../listen/index.js");
      end(
        flags.clean
          ? await clean(terminal, flags, environment)
          : await listen(terminal, service, flags, environment),
      );
    });
}

const HELP = `
Creates an event subscription that expires by itself, receives its events from
a storage queue, and delivers them as Event Grid does: signed, with handshake
and retries. Everything that it creates is deleted when you press Ctrl-C.

Signs in as doctor does. Needs EventGrid EventSubscription Contributor at the
scope, and Storage Queue Data Contributor at the storage account.

Examples:
  cloud-eventgrid listen 9000 --scope "$TOPIC_ID" \\
    --storage-account "$ACCOUNT_ID"
  cloud-eventgrid listen --env ORDERS --dotenv .env --scope "$TOPIC_ID" \\
    --storage-account "$ACCOUNT_ID" --record incident.ndjson
  cloud-eventgrid listen --clean --scope "$TOPIC_ID" \\
    --storage-account "$ACCOUNT_ID"

Exit codes:
  0  ended by Ctrl-C, everything is deleted
  1  Azure cannot be reached, or a right is missing
  2  the arguments are wrong
  3  something could not be deleted`;
