import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { collect } from "../arguments.js";
import type { Cdk } from "../project/index.js";
import { CommandError, jsonText, type Terminal } from "../terminal.js";
import { validComponents } from "./valid-components.js";

interface SynthFlags {
  readonly out: string;
  readonly cdk: Cdk;
  readonly eventType?: readonly string[];
  readonly adopted?: true;
  readonly json?: true;
}

/** `cloud-eventgrid synth`: writes a Terraform module for component documents. */
export function synthCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  const { directory, out } = terminal;
  return new Command("synth")
    .description("Write a Terraform module, in JSON, for component documents")
    .argument("<file...>", "component documents, YAML or JSON, of either release")
    .requiredOption("--out <folder>", "the folder to write main.tf.json to")
    .addOption(new Option("--cdk <name>", "the cdk").choices(["cdktf", "cdktn"]).default("cdktf"))
    .option("--event-type <type>", "an event type to deliver (repeatable)", collect)
    .option("--adopted", "the event subscription exists, and the caller imports it")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], flags: SynthFlags) => {
      const { moduleReadme, moduleUsage, terraformModule } = await import("../synth/index.js");
      const adopted = flags.adopted === true;
      const options = { writer: "deployer", existingSubscription: adopted } as const;
      const components = await validComponents(files, options, terminal, end, flags.json);
      if (components === undefined) return;
      const { cdk, eventType: eventTypes = [] } = flags;
      const module = await terraformModule(components, {
        cdk,
        eventTypes,
        adopted,
      }).catch((failure: Error) => {
        throw failure instanceof CommandError ? failure : new CommandError(failure.message);
      });
      const folder = resolve(directory, flags.out);
      mkdirSync(folder, { recursive: true });
      const file = join(folder, "main.tf.json");
      const { variables, outputs, imports } = module;
      writeFileSync(file, jsonText(module.json));
      writeFileSync(join(folder, "README.md"), moduleReadme(flags.out, module));
      if (flags.json) out(jsonText({ ok: true, file, variables, outputs, imports }));
      else {
        out(`${flags.out}/main.tf.json\n${flags.out}/README.md\n\n`);
        out(moduleUsage(flags.out, module));
      }
    });
}

const HELP = `
The module configures no providers: the calling module configures azurerm and azuread, and has
Microsoft.EventGrid registered (resource_providers_to_register of azurerm). The principal that applies
writes the event subscription. Access keys and URLs with a query are variables. Name what serves the
webhook in the variable wait_for, not in depends_on.

Exit codes:
  0  the module is written
  1  a file cannot be read, or a package is missing
  2  the arguments are wrong
  3  a document is invalid`;
