import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createProgram } from "../../local/src/cli/program.js";
import { type Command as CommandRow, commands } from "../../local/src/commands/index.js";
import { root } from "../support/project.js";

type Command = ReturnType<typeof createProgram>;

export const PAGE = "docs/local-azure-reference.md";

/** The page with its tables of the local Azure's commands as they should be. */
export function pageWithCommands(): string {
  const text = readFileSync(join(root, PAGE), "utf8");
  return withTable(withTable(text, "Command", lines()), "Request", requests());
}

/** Replaces the rows of the first table whose first column has this title. */
function withTable(text: string, title: string, rows: readonly string[][]): string {
  const table = new RegExp(`(^\\| ${title} \\|.*\\n\\|[-|]+\\n)(?:\\|.*\\n)+`, "m");
  const written = rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
  return text.replace(table, (_, head: string) => `${head}${written}`);
}

/** The commands of the command line, those of a group in one row. */
function lines(): string[][] {
  const terminal = {
    directory: "/",
    print: () => {},
    printError: () => {},
    readInput: async () => "",
    interrupted: new AbortController().signal,
  };
  return createProgram(terminal).commands.map((command) => {
    const inner = command.commands.map((each) => `\`${command.name()} ${usage(each)}\``);
    const isGroup = command.options.length === 0 && inner.length > 0;
    const names = isGroup ? inner : [`\`${usage(command)}\``, ...inner];
    const described = (isGroup && command.commands[0]) || command;
    return [names.join(", "), described.description()];
  });
}

function usage(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name().toUpperCase()}${argument.variadic ? "…" : ""}`;
    return argument.required ? name : `[${name}]`;
  });
  return [command.name(), ...words].join(" ");
}

/** The public commands of the HTTP interface. */
function requests(): string[][] {
  const rows: [string, CommandRow][] = Object.entries(commands);
  return rows.flatMap(([name, { help, inputs, schema, bodyExample, needsToken }]) => {
    if (help === undefined) return [];
    const fields = Object.entries(inputs);
    const query = fields.map(([field]) => `${field}=`).join("&");
    const isGet = name.startsWith("GET");
    const body = fields.map(([field, input]) => {
      const isOptional = schema.type === "custom" || input.schema.type === "optional";
      return `"${field}"${isOptional ? "?" : ""}`;
    });
    const example = bodyExample ?? `{${body.join(",")}}`;
    return [
      [
        `\`${name}${isGet && query ? `?${query}` : ""}\``,
        isGet || example === "{}" ? "" : `\`${example}\``,
        needsToken ? "yes" : "",
        help,
      ],
    ];
  });
}
