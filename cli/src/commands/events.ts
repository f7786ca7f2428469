import { resolve } from "node:path";
import { Command } from "commander";
import { readText, writeFiles } from "../files.js";
import { ExitCode, jsonText, standardInput, type Terminal, UsageError } from "../terminal/index.js";

interface EventsFlags {
  readonly topic?: string;
  readonly jsonSchema?: string;
  readonly against?: string;
  readonly json?: true;
}

/** `cloud-eventgrid events`: the contract of a catalogue, and what its changes break. */
export function eventsCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return new Command("events")
    .description("Print the contract of an event catalogue, or what breaks it")
    .argument("<file>", "a module that exports a catalogue, in TypeScript or JavaScript")
    .option("--topic <name>", "the channel of the contract (default: the name of the export)")
    .option("--json-schema <folder>", "write a JSON Schema for each event type instead")
    .option("--against <contract>", "compare with an earlier contract, or - for standard input")
    .option("--json", "print the comparison as JSON")
    .addHelpText("after", HELP)
    .action(async (file: string, { topic, jsonSchema, against, json }: EventsFlags) => {
      if (jsonSchema !== undefined && against !== undefined) {
        throw new UsageError("give either --json-schema or --against");
      }
      const { asyncApiDocument, changesSince, changesText, loadCatalogue, modelSchemas } =
        await import("../events/index.js");
      const { directory, out, error } = terminal;
      const { catalogue, name } = await loadCatalogue(directory, file);
      const { files, missing } = modelSchemas(catalogue);
      for (const each of missing) error(`no schema: ${each}\n`);
      if (jsonSchema !== undefined) {
        writeFiles(resolve(directory, jsonSchema), files);
        return;
      }
      const contract = asyncApiDocument(catalogue, topic ?? name);
      if (against === undefined) {
        out(jsonText(contract));
        return;
      }
      const isInput = against === "-";
      const earlier = isInput ? await standardInput(terminal) : readText(directory, against);
      const changes = changesSince(earlier, against, contract);
      const effects = new Set(changes.map(({ effect }) => effect));
      const ok = !effects.has("breaks") && !effects.has("unknown");
      out(json ? jsonText({ ok, changes }) : changesText(changes, against));
      if (!ok) end(effects.has("breaks") ? ExitCode.problems : ExitCode.unknown);
    });
}

const HELP = `
Examples:
  cloud-eventgrid events src/orders.ts --topic orders > contracts/orders.json
  cloud-eventgrid events src/orders.ts --json-schema schemas
  git show main:contracts/orders.json |
    cloud-eventgrid events src/orders.ts --against -

Exit codes:
  0  no change breaks consumers of the earlier contract
  1  a file cannot be read, or exports no catalogue
  2  the arguments are wrong
  3  a change breaks consumers
  4  a change may break consumers: the schemas cannot be compared`;
