import { resolve } from "node:path";
import { LocalCloudError, version } from "../base/index.js";
import { type Command, readArguments, usage } from "./arguments.js";
import { ConfigurationError } from "./configuration.js";
import { exportLines, findRunningInstance } from "./running-instance.js";
import { start } from "./start.js";
import type { Terminal } from "./terminal.js";

/**
 * Runs the command `cloud-eventgrid-local`.
 *
 * @returns the exit code: 0 for success, 1 for a failure, 2 for an invalid command line or
 * configuration
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await execute(readArguments(argv), terminal);
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.complain(`cloud-eventgrid-local: ${error.message}\n`);
    return error instanceof ConfigurationError ? 2 : 1;
  }
}

/** Errors that a user can fix: our own, and the system's for files and ports. */
function isExpected(error: unknown): error is Error {
  return error instanceof LocalCloudError || (error instanceof Error && "syscall" in error);
}

async function execute(command: Command, terminal: Terminal): Promise<void> {
  switch (command.name) {
    case "help":
      return terminal.print(usage);
    case "version":
      return terminal.print(`${version()}\n`);
    case "start":
      return start(command, terminal);
    case "env":
      return printEnvironment(
        resolve(terminal.directory, command.directory),
        command.json,
        terminal,
      );
  }
}

async function printEnvironment(directory: string, json: boolean, terminal: Terminal) {
  const running = await findRunningInstance(directory);
  if (!running) {
    throw new LocalCloudError(
      "ERR_NOT_RUNNING",
      `No local Azure runs in ${directory}. Start one with: cloud-eventgrid-local`,
    );
  }
  const { environment } = running;
  terminal.print(
    json ? `${JSON.stringify(environment, undefined, 2)}\n` : exportLines(environment),
  );
}
