import { Command, Option } from "commander";
import { resourceId } from "../arguments.js";
import { CLOUDS, type CloudName } from "../cloud.js";
import type { DoctorEnvironment, ShownSubscription } from "../doctor/index.js";
import { aligned, CommandError, jsonText, type Terminal, wrapped } from "../terminal/index.js";

interface SubscriptionsFlags {
  readonly scope: string;
  readonly cloud: CloudName;
  readonly tenant?: string;
  readonly json?: true;
}

/** `cloud-eventgrid subscriptions`: shows the event subscriptions at a scope. */
export function subscriptionsCommand(
  terminal: Terminal,
  environment: DoctorEnvironment = {},
): Command {
  return new Command("subscriptions")
    .description("List and show the event subscriptions at a scope")
    .addHelpText("after", LIST_HELP)
    .addCommand(listCommand(terminal, environment))
    .addCommand(showCommand(terminal, environment));
}

function listCommand(terminal: Terminal, environment: DoctorEnvironment): Command {
  const { out } = terminal;
  return reading(new Command("list"))
    .description("List event subscriptions with their state and destination")
    .addHelpText("after", LIST_HELP)
    .action(async (flags: SubscriptionsFlags) => {
      const subscriptions = await read(terminal, flags, environment);
      if (flags.json) out(jsonText(subscriptions));
      else if (subscriptions.length === 0) out(`There are none at ${flags.scope}.\n`);
      else {
        const rows = subscriptions.map(({ name, state, destination, types }) => [
          name,
          state,
          destination,
          types.length === 0 ? "all types" : types.join(", "),
        ]);
        out(`${aligned([["name", "state", "destination", "types"], ...rows]).join("\n")}\n`);
      }
    });
}

function showCommand(terminal: Terminal, environment: DoctorEnvironment): Command {
  const { out } = terminal;
  return reading(new Command("show"))
    .description("Show an event subscription with its filter, retries and dead letters")
    .argument("<name>", "the event subscription's name")
    .addHelpText("after", SHOW_HELP)
    .action(async (name: string, flags: SubscriptionsFlags) => {
      const subscriptions = await read(terminal, flags, environment);
      const isNamed = (other: string) => other.toLowerCase() === name.toLowerCase();
      const subscription = subscriptions.find((other) => isNamed(other.name));
      if (subscription === undefined) {
        const names = subscriptions.map((other) => other.name).join(", ") || "none";
        throw new CommandError(`there is no event subscription "${name}", but: ${names}`);
      }
      out(flags.json ? jsonText(subscription) : detailsOf(subscription, terminal.columns));
    });
}

function reading(command: Command): Command {
  return command
    .requiredOption(
      "--scope <id>",
      "the topic or another resource, a resource group or subscription",
      resourceId,
    )
    .addOption(new Option("--cloud <name>", "Azure cloud").choices(CLOUDS).default("public"))
    .option("--tenant <id>", "the Entra tenant to sign in to")
    .option("--json", "print JSON");
}

async function read(
  terminal: Terminal,
  { scope, cloud, tenant }: SubscriptionsFlags,
  environment: DoctorEnvironment,
): Promise<readonly ShownSubscription[]> {
  const { Azure } = await import("../azure/index.js");
  const { subscriptionsAt } = await import("../doctor/index.js");
  terminal.progress("reading from Azure");
  const azure = await Azure.signIn(cloud, tenant, terminal.env, environment);
  return subscriptionsAt(azure, scope);
}

function detailsOf(subscription: ShownSubscription, columns: number | undefined): string {
  const { types, conditions, labels, ...others } = subscription;
  const rows: [string, string][] = [
    ...Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
    ["types", types.length === 0 ? "all" : types.join(", ")],
    ...conditions.map((condition): [string, string] => ["condition", condition]),
    ...(labels.length === 0 ? [] : [["labels", labels.join(", ")] satisfies [string, string]]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows
    .map(([name, value]) => `${name.padEnd(width)}${wrapped(value, width, columns)}\n`)
    .join("");
}

const ACCESS = `
Signs in as doctor does. Needs the role Reader at the scope.
`;

const LIST_HELP = `${ACCESS}
Examples:
  cloud-eventgrid subscriptions list --scope "$TOPIC_ID"`;

const SHOW_HELP = `${ACCESS}
Examples:
  cloud-eventgrid subscriptions show orders --scope "$TOPIC_ID"`;
