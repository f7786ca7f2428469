import { withoutStart } from "cloud-eventgrid-binding-runtime/internal";
import { Command, CommanderError } from "commander";
import {
  checkCommand,
  convertCommand,
  type DeadLettersDependencies,
  deadLettersCommand,
  doctorCommand,
  eventsCommand,
  explainPlanCommand,
  initCommand,
  listenCommand,
  type ProbeEnvironment,
  probeCommand,
  publishCommand,
  tablesCommand,
} from "./commands/index.js";
import type { DoctorEnvironment } from "./doctor/index.js";
import { packageVersion } from "./files.js";
import type { ListenEnvironment } from "./listen/index.js";
import { otherVersions } from "./other-versions.js";
import {
  CommandError,
  ExitCode,
  jsonText,
  type Streams,
  terminalOf,
  withoutSecrets,
} from "./terminal/index.js";

/** Dependencies that tests replace. */
export interface Replacements {
  readonly deadLetters?: DeadLettersDependencies;
  readonly doctor?: DoctorEnvironment;
  readonly listen?: ListenEnvironment;
  readonly probe?: ProbeEnvironment;
  /** A folder of the installed command, from which new projects learn where their packages are. */
  readonly installedIn?: string;
}

/**
 * Runs `cloud-eventgrid`.
 *
 * @param args the arguments after the program's name
 * @returns the exit code
 */
export async function run(
  args: readonly string[],
  streams: Streams,
  replacements: Replacements = {},
): Promise<number> {
  let hasPrinted = false;
  const terminal = terminalOf({
    ...streams,
    out: (text) => {
      hasPrinted = true;
      streams.out(text);
    },
  });
  /** Prints a failure for the program that reads the output. */
  const fail = (message: string, exitCode: number) => {
    if (args.includes("--json") && !hasPrinted) {
      terminal.out(jsonText({ ok: false, exitCode, error: withoutSecrets(message) }));
    }
    return exitCode;
  };
  let exitCode: number = ExitCode.ok;
  const end = (code: number) => {
    exitCode = code;
  };
  const program = new Command("cloud-eventgrid")
    .description("Commands for an Azure Event Grid binding")
    .version(packageVersion())
    .helpCommand("help [command]", "Explain a command")
    .addHelpText("after", "\nExamples:\n  cloud-eventgrid help doctor\n")
    .addHelpText("afterAll", ({ command }) => `\nDocumentation:\n  ${pageOf(command)}`)
    .addCommand(checkCommand(terminal, end))
    .addCommand(convertCommand(terminal, end, replacements.installedIn))
    .addCommand(deadLettersCommand(terminal, end, replacements.deadLetters))
    .addCommand(doctorCommand(terminal, end, replacements.doctor))
    .addCommand(eventsCommand(terminal, end))
    .addCommand(explainPlanCommand(terminal, end))
    .addCommand(initCommand(terminal, replacements.installedIn))
    .addCommand(listenCommand(terminal, end, replacements.listen))
    .addCommand(probeCommand(terminal, end, replacements.probe))
    .addCommand(publishCommand(terminal))
    .addCommand(tablesCommand(terminal));
  for (const command of [program, ...subcommands(program)]) {
    command.exitOverride();
    command.configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.error,
      getOutHelpWidth: () => terminal.columns ?? HELP_WIDTH,
      getErrHelpWidth: () => terminal.columns ?? HELP_WIDTH,
    });
    command.showHelpAfterError("(--help lists commands and options)");
  }
  for (const warning of otherVersions(streams.directory)) terminal.error(warning);
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (problem) {
    if (problem instanceof CommanderError) {
      if (problem.exitCode === 0) return ExitCode.ok;
      return fail(withoutStart(problem.message, "error: "), ExitCode.usage);
    }
    if (!(problem instanceof CommandError || isFileError(problem))) {
      const { message, stack = message } =
        problem instanceof Error ? problem : new Error(String(problem));
      terminal.error(`error: this is a defect of cloud-eventgrid, please report it\n${stack}\n`);
      return fail(message, ExitCode.failed);
    }
    terminal.error(`error: ${problem.message}\n`);
    const code = problem instanceof CommandError ? problem.exitCode : ExitCode.failed;
    return fail(problem.message, code);
  } finally {
    terminal.done();
  }
}

const DOCUMENTATION = "https://github.com/cloud-eventgrid/cloud-eventgrid-binding/blob/main/docs";

/** The commands whose page is not that of all commands. */
const OWN_PAGES: Readonly<Record<string, string>> = {
  "dead-letters": "dead-letters.md",
  doctor: "command-line/doctor.md",
  events: "contracts.md",
  "explain-plan": "command-line/explain-plan.md",
  listen: "command-line/listen.md",
};

/** The page or the section of a command; the page of all commands for the program itself. */
function pageOf(command: Command): string {
  let name: string | undefined;
  for (let inner = command; inner.parent !== null; inner = inner.parent) name = inner.name();
  const section = name === undefined ? "" : `#${name}`;
  const page = OWN_PAGES[String(name)] ?? `command-line.md${section}`;
  return `${DOCUMENTATION}/${page}`;
}

/** Columns of a help text that is not printed to a terminal. */
const HELP_WIDTH = 80;

/** Reports whether the file system refused, for example to write into a folder without permission. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "path" in error;
}

function subcommands(command: Command): Command[] {
  return command.commands.flatMap((sub) => [sub, ...subcommands(sub)]);
}
