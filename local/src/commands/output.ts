/** Text that is already JSON, of a value of this type. */
export class JsonText<T = unknown> {
  declare readonly value: T;

  constructor(readonly text: string) {}
}

/** A JSON array of texts that are already JSON. */
export function jsonList(elements: readonly string[]): string {
  return `[${elements.join(",")}]`;
}

/** A JSON object with at least one field, and one more whose value is already JSON. */
export function jsonWith(fields: object, name: string, json: string): string {
  return `${JSON.stringify(fields).slice(0, -1)},${JSON.stringify(name)}:${json}}`;
}

/**
 * A table with a line of column names. The last column is not padded.
 *
 * @param none what to say instead if there are no rows
 */
export function table(
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
  none?: string,
): string {
  if (rows.length === 0 && none !== undefined) return none;
  const lines = [columns, ...rows].map((row) => row.map((cell) => String(cell ?? "")));
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => String(line[index]).length)),
  );
  return lines
    .map((line) => line.map((cell, index) => cell.padEnd(Number(widths[index]))).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** `14:05:09.123` in UTC, as in the log of the running instance. */
export function clockTime(at: number | string): string {
  return new Date(at).toISOString().slice(11, 23);
}
