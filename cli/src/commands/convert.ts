import { basename, resolve } from "node:path";
import { Command, Option } from "commander";
import { collect } from "../arguments.js";
import type { AppKind, Cdk } from "../project/index.js";
import { jsonText, type Terminal } from "../terminal.js";
import { validComponents } from "./valid-components.js";

interface ConvertFlags {
  readonly out: string;
  readonly name?: string;
  readonly cdk: Cdk;
  readonly app: AppKind;
  readonly eventType?: readonly string[];
  readonly adopt?: true;
  readonly force?: true;
  readonly json?: true;
}

/** `cloud-eventgrid convert`: turns component documents into a project. */
export function convertCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  const { directory, out } = terminal;
  return new Command("convert")
    .description("Generate a project with its stack and services from component documents")
    .argument("<file...>", "component documents, YAML or JSON, of either release")
    .requiredOption("--out <folder>", "the folder to write the project to")
    .option("--name <name>", "name of the project (default: the folder's name)")
    .addOption(new Option("--cdk <name>", "the cdk").choices(["cdktf", "cdktn"]).default("cdktf"))
    .addOption(
      new Option("--app <kind>", "what serves the webhook")
        .choices(["standalone", "fastify"])
        .default("standalone"),
    )
    .option("--event-type <type>", "an event type that is handled (repeatable)", collect)
    .option("--adopt", "take over the event subscription that the component created")
    .option("--force", "write into a folder that is not empty")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], flags: ConvertFlags) => {
      const project = await import("../project/index.js");
      const adopt = flags.adopt === true;
      const options = { writer: "deployer", existingSubscription: adopt } as const;
      const components = await validComponents(files, options, terminal, end, flags.json);
      if (components === undefined) return;
      const folder = resolve(directory, flags.out);
      const { cdk, app, eventType: eventTypes = [] } = flags;
      const name = project.projectName(flags.name ?? basename(folder));
      const spec = project.projectOfComponents(components, {
        name,
        cdk,
        app,
        eventTypes,
        adopt,
        host: "none",
      });
      const written = project.projectFiles(spec);
      project.writeProject(folder, written, flags.force === true);
      const names = Object.keys(written);
      if (flags.json) out(jsonText({ ok: true, folder, files: names }));
      else {
        for (const each of names) out(`${flags.out}/${each}\n`);
        out(`\nNext: ${project.nextCommands(flags.out)}\n`);
      }
    });
}

const HELP = `
Terraform writes the event subscriptions from now on, so client secrets are left out. Access keys
and URLs with a query become variables of Terraform.

Exit codes:
  0  the project is written
  1  a file cannot be read or the folder is not empty
  2  the arguments are wrong
  3  a document is invalid`;
