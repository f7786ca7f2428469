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
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
