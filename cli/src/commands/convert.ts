import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { collect, FILES } from "../arguments.js";
import type { AppKind, Cdk, IsPublished } from "../project/index.js";
import { jsonText, type Terminal } from "../terminal/index.js";
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
export function convertCommand(
  terminal: Terminal,
  end: (exitCode: number) => void,
  isPublished?: IsPublished,
): Command {
  const { directory, out } = terminal;
  return new Command("convert")
    .description("Generate a project with its stack and services from component documents")
    .argument("<file...>", FILES)
    .requiredOption("--out <folder>", "the folder to write the project to")
    .option("--name <name>", "name of the project (default: the component's name)")
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
      const { eventTypesOf } = await import("../event-types.js");
      const project = await import("../project/index.js");
      const eventTypes = eventTypesOf("--event-type", flags.eventType);
      const adopt = flags.adopt === true;
      const options = { writer: "deployer", existingSubscription: adopt } as const;
      const components = await validComponents(files, options, terminal, end, flags.json);
      if (components === undefined) return;
      const { cdk, app, name } = flags;
      terminal.progress("asking npm for a provider");
      const isAzureadMissing = await project.isAzureadMissing(cdk, isPublished);
      const conversion = {
        cdk,
        isAzureadMissing,
        app,
        eventTypes,
        adopt,
        name,
      };
      const projects = Object.entries(project.projectsOfComponents(components, conversion));
      // Several components become one project each, in folders with their names.
      const pathOf = (name: string, file: string) =>
        projects.length === 1 ? file : `${name}/${file}`;
      const written = Object.fromEntries(
        projects.flatMap(([name, files]) =>
          Object.entries(files).map(([file, text]) => [pathOf(name, file), text]),
        ),
      );
      const folder = resolve(directory, flags.out);
      project.writeProject(folder, written, flags.force === true);
      const names = Object.keys(written).sort();
      const notes = isAzureadMissing ? [project.withoutAzuread] : [];
      if (flags.json) out(jsonText({ ok: true, folder, files: names, notes }));
      else {
        for (const file of names) out(`${flags.out}/${file}\n`);
        for (const note of notes) out(`${note}\n`);
        const [[first] = [""]] = projects;
        const next = projects.length === 1 ? flags.out : join(flags.out, first);
        out(`\nNext: ${project.nextCommands(next)}\n`);
      }
    });
}

const HELP = `
Terraform writes the event subscriptions from now on, so client secrets are left
out. Access keys and URLs with a query become variables of Terraform.

Examples:
  cloud-eventgrid convert components/orders.yaml --out shop --adopt

Exit codes:
  0  the project is written
  1  a file cannot be read or the folder is not empty
  2  the arguments are wrong
  3  a document is invalid`;
