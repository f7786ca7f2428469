import { oneLine } from "./terminal.js";

/** Pads the cells of each column to the same width; the last column stays as it is. */
export function aligned(data: readonly (readonly string[])[]): string[] {
  const rows = data.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(Number(widths[column])))
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Breaks a text between words, so that each line fits; the lines after the first are indented.
 *
 * @param indent columns before the first line, and spaces before the others
 * @param columns width of the terminal; without it the text stays on one line
 */
export function wrapped(text: string, indent: number, columns = Number.POSITIVE_INFINITY): string {
  const width = Math.max(20, columns - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}
