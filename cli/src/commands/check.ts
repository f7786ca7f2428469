import { Command } from "commander";
import { collect } from "../arguments.js";
import { ExitCode, jsonText, type Terminal, UsageError } from "../terminal.js";

interface CheckFlags {
  readonly env?: readonly string[];
  readonly envFile?: string;
  readonly strict?: true;
  readonly json?: true;
}

/** `cloud-eventgrid check`: validates component documents and environments. */
export function checkCommand(terminal: Terminal, end: (exitCode: number) => void): Command {
  return new Command("check")
    .description("Validate component documents and environments")
    .argument("[file...]", "component documents, YAML or JSON, of either release")
    .option("--env <prefix>", "a binding in environment variables (repeatable)", collect)
    .option("--env-file <file>", "a file with environment variables for --env")
    .option("--strict", "treat warnings as problems")
    .option("--json", "print one JSON object")
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], { env: prefixes = [], ...flags }: CheckFlags) => {
      if (files.length === 0 && prefixes.length === 0) {
        throw new UsageError("give at least one file or --env <prefix>");
      }
      const { checkEnvironments, checkFiles, checkReport } = await import("../check/index.js");
      const { readEnvironment } = await import("../definitions/index.js");
      const { directory, env, out } = terminal;
      const variables = readEnvironment(env, directory, flags.envFile);
      const results = [...checkFiles(files, directory), ...checkEnvironments(prefixes, variables)];
      const passed = results.every(
        ({ valid, warnings }) => valid && !(flags.strict && warnings.length > 0),
      );
      out(flags.json ? jsonText({ ok: passed, results }) : checkReport(results));
      end(passed ? ExitCode.ok : ExitCode.problems);
    });
}

const HELP = `
Exit codes:
  0  everything is valid
  1  a file cannot be read
  2  the arguments are wrong
  3  there are problems, or with --strict warnings`;
