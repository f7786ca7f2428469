import { Command } from "commander";
import { collect, FILES } from "../arguments.js";
import { CommandError, ExitCode, jsonText, type Terminal, UsageError } from "../terminal/index.js";

interface CheckFlags {
  readonly env?: readonly string[];
  readonly dotenv?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** `cloud-eventgrid check`: validates component documents and environments. */
export function checkCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return new Command("check")
    .description("Validate component documents and environments")
    .argument("[file...]", FILES)
    .option("--env <prefix>", "a binding in environment variables (repeatable)", collect)
    .option("--dotenv <file>", "a file with environment variables for --env")
    .option("--strict", "treat warnings as problems")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], { env: prefixes = [], ...flags }: CheckFlags) => {
      if (files.length === 0 && prefixes.length === 0) {
        throw new UsageError("give at least one file or --env <prefix>");
      }
      const { COLOURS, checkEnvironments, checkReport, checkSources } = await import(
        "../check/index.js"
      );
      const { readEnvironment, readSources } = await import("../bindings/index.js");
      const { directory, env, out, error } = terminal;
      const variables = readEnvironment(env, directory, flags.dotenv);
      const checkedSources = checkSources(await readSources(files, terminal));
      const results = [...checkedSources.results, ...checkEnvironments(prefixes, variables)];
      const { skipped } = checkedSources;
      if (results.length === 0) {
        throw new CommandError(`there is no Event Grid binding in ${skipped.join(", ")}`);
      }
      const passed = results.every(
        ({ valid, warnings }) => valid && !(flags.strict && warnings.length > 0),
      );
      if (flags.json) out(jsonText({ ok: passed, results }));
      else out(checkReport(results, terminal.columns), COLOURS);
      if (skipped.length > 0) error(`No Event Grid binding: ${skipped.join(", ")}\n`);
      end(passed ? ExitCode.ok : ExitCode.problems);
    });
}

const HELP = `
Examples:
  cloud-eventgrid check components
  cloud-eventgrid check 'components/**/*.yaml' --strict
  cloud-eventgrid check --env ORDERS --dotenv .env

Exit codes:
  0  everything is valid
  1  a file cannot be read, or none contains a binding
  2  the arguments are wrong
  3  there are problems, or with --strict warnings`;
