import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The tables of a module's inputs and outputs, from its files. */
export function tablesOf(folder: string): string {
  const inputs = blocksOf(join(folder, "variables.tf"), "variable").map(({ label, body }) => {
    const value = argument(body, "default");
    const shown = value === undefined ? "required" : code(value);
    return `| \`${label}\` | ${code(typeIn(body))} | ${shown} | ${descriptionIn(body)} |\n`;
  });
  const outputs = blocksOf(join(folder, "outputs.tf"), "output").map(
    ({ label, body }) => `| \`${label}\` | ${descriptionIn(body)} |\n`,
  );
  return `## Inputs

| Name | Type | Default | Description |
|---|---|---|---|
${inputs.join("")}
## Outputs

| Name | Description |
|---|---|
${outputs.join("")}`;
}
/** The variables of a module. */
export function variablesOf(folder: string): string[] {
  return blocksOf(join(folder, "variables.tf"), "variable").map(({ label }) => label);
}

/** The type of a variable and the conditions of its validations, each on one line. */
export function declarationOf(folder: string, name: string) {
  const blocks = blocksOf(join(folder, "variables.tf"), "variable");
  const body = blocks.find(({ label }) => label === name)?.body ?? "";
  const found = body.matchAll(/^ {4}condition += ([\s\S]*?)\n {4}error_message/gm);
  const conditions = [...found].map(([, text = ""]) => `(${text.replace(/\s*\n\s*/g, " ")})`);
  return { type: typeIn(body), conditions };
}

function blocksOf(file: string, kind: string) {
  const blocks = readFileSync(file, "utf8").matchAll(
    new RegExp(`^${kind} "(\\w+)" \\{\\n([\\s\\S]*?)^\\}`, "gm"),
  );
  return [...blocks].map(([, label = "", body = ""]) => ({ label, body }));
}

function argument(body: string, name: string): string | undefined {
  return new RegExp(`^  ${name} += (.*)$`, "m").exec(body)?.[1];
}

/** The type on one line: its attributes are written nowhere else for readers. */
function typeIn(body: string): string {
  const type = /^ {2}type += (\S[\s\S]*?)\n(?= {2}[a-z]|$)/m.exec(body)?.[1] ?? "";
  return type
    .replace(/\n *(?=\})/g, " ")
    .replace(/\{\n */g, "{ ")
    .replace(/\n */g, ", ")
    .replace(/ +/g, " ");
}

function descriptionIn(body: string): string {
  return JSON.parse(argument(body, "description") ?? '""').replaceAll("|", "\\|");
}

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
