import { Command, CommanderError } from "commander";
import { LocalCloudError, nearName, version } from "../base/index.js";
import { otherVersions } from "./other-versions.js";
import {
  activityCommands,
  envCommand,
  publishCommand,
  replayCommand,
  startCommand,
  tableCommands,
} from "./subcommands/index.js";
import { safeTerminal, type Terminal } from "./terminal.js";

const HELP = `
Without a command it starts: the options of start can follow at once.

Examples:
  cloud-eventgrid-local --topic orders --ingress https://orders.example.com=http://127.0.0.1:9000
  cloud-eventgrid-local publish --topic orders --type shop.order.placed --data '{"orderId":"17"}'
  cloud-eventgrid-local tail
  eval "$(cloud-eventgrid-local env)"

Exit codes: 0 success, 1 failure, 2 invalid command line or configuration
Documentation: https://github.com/cloud-eventgrid/cloud-eventgrid-binding/blob/main/docs/local-azure-reference.md`;

/**
 * Runs the command `cloud-eventgrid-local`.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line or
 * configuration
 */
export async function run(argv: readonly string[], caller: Terminal): Promise<number> {
  const terminal = safeTerminal(caller);
  const program = createProgram(terminal);
  for (const warning of otherVersions(terminal.directory)) terminal.printError(warning);
  try {
    refuseUnknownCommand(program, argv);
    await program.parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isExpected(error)) throw error;
    terminal.printError(`cloud-eventgrid-local: ${error.message}\n`);
    return isUsageError(error) ? 2 : 1;
  }
}

export function createProgram(terminal: Terminal): Command {
  const program = new Command("cloud-eventgrid-local")
    .description("A local Azure for Event Grid")
    .version(version(), "-v, --version")
    .helpCommand("help [command]", "explain a command")
    // Options after a subcommand are the subcommand's.
    .enablePositionalOptions()
    .addHelpText("after", HELP)
    .addCommand(startCommand(terminal), { isDefault: true })
    .addCommand(envCommand(terminal));
  const commands = [
    publishCommand(terminal),
    replayCommand(terminal),
    ...activityCommands(terminal),
    ...tableCommands(terminal),
  ];
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...subcommandsOf(program)]) {
    command
      .exitOverride()
      .configureHelp({
        commandDescription: (each) => withoutLinks(each.description()),
        subcommandDescription: (each) => withoutLinks(each.description()),
      })
      .configureOutput({ writeOut: terminal.print, writeErr: terminal.printError })
      .showHelpAfterError("(--help lists commands and options)");
  }
  return program;
}

/** Descriptions have links for the documentation. */
function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

function subcommandsOf(command: Command): Command[] {
  return command.commands.flatMap((each) => [each, ...subcommandsOf(each)]);
}

/** Without this check the word would be an excess argument of the default command, or of the group. */
function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  const [first, second] = argv;
  if (first === undefined || first.startsWith("-")) return;
  const names = ["help", ...program.commands.map((command) => command.name())];
  const group = program.commands.find((command) => command.name() === first);
  if (!names.includes(first)) refuse(program, first, first, names);
  if (group === undefined || second === undefined || second.startsWith("-")) return;
  const inner = ["help", ...group.commands.map((command) => command.name())];
  if (inner.length === 1 || group.registeredArguments.length > 0 || inner.includes(second)) return;
  refuse(program, `${first} ${second}`, second, inner);
}

function refuse(program: Command, shown: string, word: string, names: readonly string[]): never {
  const near = nearest(word, names);
  const known = names.filter((name) => name !== "help").join(", ");
  const hint = near === undefined ? `There are: ${known}` : `Did you mean ${near}?`;
  return program.error(`error: unknown command '${shown}'\n(${hint})`);
}

/** The command that begins with a word, that a word begins with, or that is spelt like it. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const begun = names.find((name) => name.startsWith(word) || word.startsWith(name));
  return begun ?? nearName(word, names);
}

/** Errors that a user can fix: our own, and the system's for files and ports. */
function isExpected(error: unknown): error is Error {
  return error instanceof LocalCloudError || (error instanceof Error && "syscall" in error);
}

function isUsageError(error: Error): boolean {
  return (
    error instanceof LocalCloudError &&
    (error.code === "ERR_COMMAND_LINE" ||
      error.code === "ERR_CONFIGURATION" ||
      error.code === "ERR_FAULT")
  );
}
