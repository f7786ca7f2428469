import { Command } from "commander";
import { collect, resourceId } from "../arguments.js";
import type { DoctorEnvironment, DoctorFlags } from "../doctor/index.js";
import type { Terminal } from "../terminal/index.js";

/** `cloud-eventgrid doctor`: finds out why no events arrive. */
export function doctorCommand(
  terminal: Terminal,
  end: (exitCode: number) => void,
  environment: DoctorEnvironment = {},
): Command {
  return new Command("doctor")
    .description("Find out what prevents events from being delivered")
    .argument("[file]", "a component document")
    .option("--component <name>", "the one to take of a file's component documents")
    .option("--env <prefix>", "a binding in environment variables")
    .option("--dotenv <file>", "a file with environment variables for --env")
    .option("--terraform <file>", "the output of terraform output -json")
    .option(
      "--scope <id>",
      "the scope of the event subscription",
      resourceId("az eventgrid topic show"),
    )
    .option(
      "--event-subscription <id>",
      "the resource ID of the event subscription",
      resourceId("az eventgrid event-subscription show"),
    )
    .option("--azure-subscription <id>", "the Azure subscription of the topic or namespace")
    .option("--event-type <type>", "an event type that must arrive (repeatable)", collect)
    .option("--subject <text>", "the subject of an event that must arrive")
    .option("--event <file>", "an event that must arrive, as JSON")
    .option("--writer <id>", "object ID of the principal that writes the event subscription")
    .option("--publisher <id>", "object ID of the principal that publishes with Entra")
    .option("--receiver <id>", "object ID of the principal that receives from a namespace")
    .option("--probe-url <url>", "do the handshake with this URL instead of the webhook's")
    .option("--no-handshake", "do no handshake")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (file: string | undefined, flags: DoctorFlags) => {
      const { doctor } = await import("../doctor/index.js");
      end(await doctor(terminal, file, flags, environment));
    });
}

const HELP = `
Signs in with @azure/identity (az login, a managed identity, AZURE_… or ARM_…
variables). Needs the role Reader at the scope and Application.Read.All in
Graph. It only reads: its report prints the commands that repair what it finds.

Examples:
  cloud-eventgrid doctor components/orders.yaml --event-type shop.order.paid
  cloud-eventgrid doctor --terraform outputs.json

Exit codes:
  0  nothing prevents delivery
  1  Azure cannot be reached, or the definition cannot be read
  2  the arguments are wrong
  3  something prevents delivery
  4  nothing was found, but not everything could be inspected`;
