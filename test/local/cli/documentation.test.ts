import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkConfiguration } from "../../../local/src/cli/configuration.js";
import { createProgram } from "../../../local/src/cli/program.js";
import { root } from "../../support/project.js";
import { startCloud } from "../support/cloud.js";

const file = join(root, "docs/local-azure-reference.md");

it("accepts the configuration file in the documentation", () => {
  const blocks = [...readFileSync(file, "utf8").matchAll(/^```json\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(1);
  const configuration = JSON.parse(blocks[0]?.[1] ?? "");

  expect(checkConfiguration(configuration, "the page")).toEqual(configuration);
});

it("docs/local-azure-reference.md has the options and operations of the code (write them with --update)", async () => {
  const program = createProgram({
    directory: "",
    print: () => {},
    printError: () => {},
    readInput: async () => "",
    interrupted: new AbortController().signal,
  });
  const { control } = await startCloud({ control: true });
  const resourceTypes = control.resourceTypes.map(
    ({ type, actions }) => `- \`${type}\`${actions.map((name) => `, \`${name}\``).join("")}`,
  );
  const written = readFileSync(file, "utf8")
    .replace(/^\| Option \|.*\n(?:\|.*\n)+/m, () => optionTable(program))
    .replace(/^\| Method \|.*\n(?:\|.*\n)+/m, () => table(["Method", "Path"], operations(control)))
    .replace(/(?:^- `Microsoft\..*\n)+/m, () => `${resourceTypes.join("\n")}\n`);
  await expect(written).toMatchFileSnapshot(file);
});

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  return [line(head), "|---|---|\n", ...rows.map(line)].join("");
}

function optionTable(program: ReturnType<typeof createProgram>): string {
  const start = program.commands.find((command) => command.name() === "start");
  const options = start?.options.filter(({ hidden }) => !hidden) ?? [];
  const rows = options.map(({ flags, description }) => [
    `\`${flags}\``,
    description.replace(/ ?\(env: \w+\)/, "").replace(/^\((.*)\)$/, "$1"),
  ]);
  return table(["Option", "Meaning"], rows);
}

function operations({ operations }: { operations: readonly { method: string; path: string }[] }) {
  return operations.map(({ method, path }) => {
    const shown = path.replaceAll(
      /\/?[:*](\w+)/g,
      (text, name) => `${text.startsWith("/") ? "/" : ""}{${name}}`,
    );
    return [method, `\`${shown}\``];
  });
}
