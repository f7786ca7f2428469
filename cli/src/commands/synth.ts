import { resolve } from "node:path";
import { Command, Option } from "commander";
import { collect, FILES } from "../arguments.js";
import { writeFiles } from "../files.js";
import { jsonText, type Terminal } from "../terminal/index.js";
import { validComponents } from "./valid-components.js";

interface SynthFlags {
  readonly out: string;
  readonly eventType?: readonly string[];
  readonly adopted?: true;
  readonly writer: "deployer" | "client";
  readonly json?: true;
}

/** `cloud-eventgrid synth`: writes a Terraform module for each component document. */
export function synthCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  const { directory, out } = terminal;
  return new Command("synth")
    .description("Write a Terraform module for component documents")
    .argument("<file...>", FILES)
    .requiredOption("--out <folder>", "the folder of the module; of several, the folder of folders")
    .option("--event-type <type>", "an event type to deliver (repeatable)", collect)
    .option("--adopted", "the event subscription exists, and the caller imports it")
    .addOption(
      new Option("--writer <who>", "who writes the event subscription")
        .choices(["deployer", "client"])
        .default("deployer"),
    )
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], flags: SynthFlags) => {
      const { eventTypesOf } = await import("../event-types.js");
      const { moduleUsage, terraformModule } = await import("../synth/index.js");
      const eventTypes = eventTypesOf("--event-type", flags.eventType);
      const adopted = flags.adopted === true;
      const options = { writer: "deployer", existingSubscription: adopted } as const;
      const components = await validComponents(files, options, terminal, end, flags.json);
      if (components === undefined) return;
      const modules = components.map((component) => {
        const module = terraformModule(component, { eventTypes, adopted, writer: flags.writer });
        const folder = components.length === 1 ? flags.out : `${flags.out}/${module.name}`;
        return { ...module, folder };
      });
      for (const { folder, files } of modules) writeFiles(resolve(directory, folder), files);
      if (flags.json) {
        const written = modules.map(({ variables, outputs, imports, folder, files }) => ({
          variables,
          outputs,
          imports,
          folder,
          files: Object.keys(files),
        }));
        out(jsonText({ ok: true, modules: written }));
        return;
      }
      for (const module of modules) {
        for (const name of Object.keys(module.files)) out(`${module.folder}/${name}\n`);
        out(`\n${moduleUsage(module.folder, module)}`);
      }
    });
}

const HELP = `
The values of the document are the defaults of the module's variables. Access
keys and URLs with a query have no default.

The module configures no providers: the calling module configures azurerm and
azuread, and has Microsoft.EventGrid registered (resource_providers_to_register
of azurerm). The principal that applies writes the event subscription, or with
--writer client the application, which the provider azurerm.client signs in as.
Name what serves the webhook in the variable wait_for, not in depends_on.

Examples:
  cloud-eventgrid synth components/orders.yaml --out modules/orders

Exit codes:
  0  the module is written
  1  a file cannot be read
  2  the arguments are wrong
  3  a document is invalid`;
