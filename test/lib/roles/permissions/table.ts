import { readFileSync } from "node:fs";

/** One row of a table: its first cell without markup, and the text of the others. */
export interface TableRow {
  readonly name: string;
  readonly text: string;
}

/** The rows of the table below a heading of docs/permissions.md. */
export function permissionRows(heading: string): TableRow[] {
  const page = readFileSync("docs/permissions.md", "utf8");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) => {
    const [name = "", ...cells] = line.split("|").slice(1, -1);
    return { name: name.replaceAll("`", "").trim(), text: cells.join("|") };
  });
}

/**
 * Whether a row names a permission, in full or abbreviated after the previous one, as in `/delete`.
 */
export function names({ text }: TableRow, permission: string): boolean {
  const ends = permission.split("/").map((_part, i, parts) => parts.slice(i).join("/"));
  return text.includes(`\`${permission}\``) || ends.some((end) => text.includes(`\`/${end}\``));
}
