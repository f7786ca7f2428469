/** A table with a line of column names. The last column is not padded. */
export function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): string {
  const lines = [columns, ...rows].map((row) => row.map((cell) => String(cell ?? "")));
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** `14:05:09.123` in UTC, as in the log of the running instance. */
export function clockTime(at: number | string): string {
  return new Date(at).toISOString().slice(11, 23);
}
