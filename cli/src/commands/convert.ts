import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import { collect, FILES, PACKAGES } from "../arguments.js";
import type { AppKind, Cdk } from "../project/index.js";
import { jsonText, type Terminal, UsageError } from "../terminal/index.js";
import { validComponents } from "./valid-components.js";

interface ConvertFlags {
  readonly out?: string;
  readonly terraform?: true;
  readonly name?: string;
  readonly packages?: string;
  readonly cdk: Cdk;
  readonly app: AppKind;
  readonly eventType?: readonly string[];
  readonly adopted?: true;
  readonly force?: true;
  readonly json?: true;
}

/**
 * `cloud-eventgrid convert`: turns component documents into a project, or into calls of the Terraform
 * module.
 *
 * @param installedIn where this command is installed, if it is not where this file is
 */
export function convertCommand(
  terminal: Terminal,
  end: (exitCode: number) => void,
  installedIn?: string,
): Command {
  const { directory, env, out } = terminal;
  return new Command("convert")
    .description("Generate a project with its stack and services from component documents")
    .argument("<file...>", FILES)
    .option("--out <folder>", "the folder to write the project to")
    .option("--terraform", "print the lines that call the Terraform module instead")
    .option("--name <name>", "name of the project (default: the component's name)")
    .addOption(new Option("--cdk <name>", "the cdk").choices(["cdktn", "cdktf"]).default("cdktn"))
    .addOption(
      new Option("--app <kind>", "what serves the webhook")
        .choices(["standalone", "express", "fastify"])
        .default("standalone"),
    )
    .option("--event-type <type>", "an event type that is handled (repeatable)", collect)
    .option("--packages <folder>", PACKAGES)
    .option("--adopted", "take over the event subscription that the component created")
    .option("--force", "write into a folder that is not empty")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], flags: ConvertFlags) => {
      const { eventTypesOf } = await import("../event-types.js");
      const project = await import("../project/index.js");
      const eventTypes = eventTypesOf("--event-type", flags.eventType);
      if (flags.out === undefined && !flags.terraform) {
        throw new UsageError("--out <folder> is missing: the project is written there");
      }
      const adopted = flags.adopted === true;
      const options = { writer: "deployer", existingSubscription: adopted } as const;
      const components = await validComponents(files, options, terminal, end, flags.json);
      if (components === undefined) return;
      if (flags.out === undefined) {
        const named = [...project.byProjectName(components, flags.name)];
        const calls = named.map(([name, component]) =>
          project.moduleCall(component, name, { eventTypes, adopted }),
        );
        if (flags.json) out(jsonText({ ok: true, modules: calls }));
        else out(calls.map(({ text, notes }) => text + notes.map(comment).join("")).join("\n"));
        return;
      }
      const { cdk, app, name, packages } = flags;
      const { folder: packed, notes } = project.packageSource(
        packages && resolve(directory, packages),
        installedIn,
      );
      const conversion = { cdk, app, eventTypes, adopt: adopted, name };
      const projects = Object.entries(project.projectsOfComponents(components, conversion));
      // Several components become one project each, in folders with their names.
      const byFolder = Object.fromEntries(
        projects.map(([name, files]) => [projects.length === 1 ? "" : name, files]),
      );
      const folder = resolve(directory, flags.out);
      project.requireEmpty(folder, flags.force === true);
      const terraform = project.terraformCommand(env);
      const names = project.writeProjects(folder, byFolder, packed, terraform);
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

function comment(note: string): string {
  return `# ${note}\n`;
}

const HELP = `
Terraform writes the event subscriptions from now on, so client secrets are left
out. Access keys and URLs with a query become variables of Terraform.

--terraform writes no project. It prints a module block, with --adopted its
import block, and says what the module cannot express.

Examples:
  cloud-eventgrid convert components/orders.yaml --out shop --adopted
  cloud-eventgrid convert --terraform components/orders.yaml

Exit codes:
  0  the project is written
  1  a file cannot be read or the folder is not empty
  2  the arguments are wrong
  3  a document is invalid`;
