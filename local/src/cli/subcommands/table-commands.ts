import { Argument, Command, InvalidArgumentError, Option } from "commander";
import * as v from "valibot";
import { type Input, LocalCloudError, split } from "../../base/index.js";
import { type CommandLine, type Command as CommandRow, commands } from "../../commands/index.js";
import { json, pairs, seconds } from "../options.js";
import type { Terminal } from "../terminal.js";
import { clientCommand } from "./client-command.js";

const rows: Readonly<Record<string, CommandRow>> = commands;

/** Words before others that do nothing alone. */
const groups: Readonly<Record<string, string>> = {
  clock: "move the clock",
  keys: "change the signing keys",
};

/** The commands of the table, in its order: `topics`, which is also `topics list`, `topics create`, … */
export function tableCommands(terminal: Terminal): Command[] {
  const roots = new Map<string, Command>();
  for (const [name, row] of Object.entries(rows)) {
    for (const line of row.lines as readonly CommandLine[]) {
      const [first, second] = split(line.words, " ");
      const command = commandOf(second ?? first, name, line, row, terminal);
      if (second === undefined) {
        if (line.help.startsWith("list, ")) {
          command.addCommand(commandOf("list", name, line, row, terminal), { hidden: true });
        }
        roots.set(first, command);
      } else {
        const group = roots.get(first) ?? new Command(first).description(String(groups[first]));
        roots.set(first, group.addCommand(command));
      }
    }
  }
  return [...roots.values()];
}

function commandOf(
  word: string,
  name: string,
  line: CommandLine,
  row: CommandRow,
  terminal: Terminal,
): Command {
  const { command, act } = clientCommand(word, line.help, terminal);
  const inputs = Object.entries(line.inputs ?? row.inputs);
  const args: string[] = [];
  const options = new Map<string, string>();
  for (const [field, input] of inputs) {
    if (input.line === undefined) continue;
    if (input.line.startsWith("--")) {
      const option = optionOf(input, input.line);
      options.set(field, option.attributeName());
      command.addOption(option);
    } else {
      const reader = readerOf(input);
      const argument = new Argument(input.line, input.help);
      command.addArgument(reader ? argument.argParser(reader) : argument);
      args.push(field);
    }
  }
  return act(async ({ instance, show }, given, ...words) => {
    const values = Object.fromEntries([
      ...args.map((field, index) => [field, words[index]]),
      ...[...options].map(([field, attribute]) => [field, given[attribute]]),
    ]);
    const result = await instance.send(name, line.body ? line.body(values) : values);
    show(line.json ? line.json(result, values) : result, line.text(result, values));
    const failure = line.failure?.(result);
    if (failure !== undefined) throw new LocalCloudError("ERR_REFUSED", failure);
  });
}

function optionOf(input: Input, flags: string): Option {
  const option = new Option(flags, input.help);
  const reader = readerOf(input);
  if (reader) option.argParser(reader);
  if (input.choices) option.choices(input.choices);
  if (input.initial !== undefined) option.default(input.initial);
  const isRequired = input.schema.type !== "optional" && input.initial === undefined;
  return option.makeOptionMandatory(isRequired);
}

/** Reads the text of an option, and checks the value as the command does. */
function readerOf({ kind, schema }: Input) {
  const reader = readers[kind];
  if (!reader) return undefined;
  return (text: string, earlier: unknown): unknown => {
    const value = reader(text, earlier);
    const issue = v.safeParse(schema, value).issues?.[0];
    if (issue) throw new InvalidArgumentError(`It ${issue.message}.`);
    return value;
  };
}

const readPairs = pairs("PUBLIC=TARGET");

const readers: { readonly [Kind in Input["kind"]]?: (text: string, earlier: unknown) => unknown } =
  {
    number: Number,
    duration: (text) => ({ seconds: seconds(text) }),
    json,
    pairs: (text, earlier) => readPairs(text, Object(earlier)),
  };
