import { Command } from "commander";
import type { CommandClient } from "../../commands/index.js";
import { directoryOption, environmentOption } from "../options.js";
import type { Terminal } from "../terminal.js";
import { findInstance, type InstanceOptions } from "./instance.js";

/** The context that the action of a client command gets besides its arguments. */
interface Client {
  readonly instance: CommandClient;
  /**
   * Prints the value as JSON with `--json`, else the text.
   *
   * @param text the text for a person, without the line feed at the end
   */
  show(value: unknown, text: string): void;
}

/** A command that controls a running instance. */
export function clientCommand(
  name: string,
  description: string,
  terminal: Terminal,
): { command: Command; act: (action: ClientAction) => Command } {
  const command = new Command(name)
    .description(description)
    // Options after a subcommand are the subcommand's.
    .enablePositionalOptions()
    .option("--json", "print JSON for programs")
    .addOption(directoryOption())
    .addOption(environmentOption("--url <url>", "address of an instance elsewhere"))
    .addOption(environmentOption("--token <token>", "token of that instance"));
  const act = (action: ClientAction) =>
    command.action(async () => {
      const options = command.opts<InstanceOptions & { json?: true }>();
      const instance = await findInstance(options, terminal);
      const show = (value: unknown, text: string) => {
        const shown = options.json ? JSON.stringify(value ?? null, undefined, 2) : text;
        if (shown !== "") terminal.print(shown.endsWith("\n") ? shown : `${shown}\n`);
      };
      // Missing optional arguments are undefined at the end.
      const args: readonly (string | undefined)[] = command.processedArgs;
      await action({ instance, show }, command.opts(), ...args);
    });
  return { command, act };
}

// biome-ignore lint/suspicious/noExplicitAny: commander types options and arguments as any
type ClientAction = (client: Client, options: any, ...args: any[]) => Promise<void>;
