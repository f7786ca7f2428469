import type { Measured, ScenarioResult } from "./measure.js";
import type { Target } from "./scenario.js";

/** Formats a number with its significant digits. */
export function shown(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Formats the results of a job: values, their spread in the first column, and the ratio of ours to each. */
export function table({ name, columns, note, contenders }: ScenarioResult): string {
  const [first] = columns;
  const head = [
    "",
    ...columns.map(({ title }) => title),
    "spread",
    "median",
    "ours to it",
    "target",
  ];
  const rows = contenders.map(({ name, ours, target, values }) => {
    const main = values[first.key];
    return [
      ours ? `${name} (ours)` : name,
      ...columns.map(({ key }) => cell(values[key]?.value)),
      main === undefined ? "" : `${shown(main.spread[0])} – ${shown(main.spread[1])}`,
      cell(main?.typical),
      ours ? "" : columns.map(({ key }) => ratio(values[key])).join(" | "),
      target === undefined ? "" : outcome(target, main?.oursToIt),
    ];
  });
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((text, column) =>
        column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0),
      )
      .join("  ");
  return [`## ${name}`, ...(note ? [note] : []), line(head), ...rows.map(line), ""].join("\n");
}

const cell = (value: number | undefined) => (value === undefined ? "–" : shown(value));

/** A difference below the spread is none. */
function ratio(measured: Measured | undefined): string {
  if (measured?.oursToIt === undefined) return "–";
  return measured.isSame ? "same" : measured.oursToIt.toFixed(2);
}

function outcome(target: Target, value = Number.NaN): string {
  const [sign, bound, isReached] =
    "atLeast" in target
      ? ["≥", target.atLeast, value >= target.atLeast]
      : ["≤", target.atMost, value <= target.atMost];
  return `${isReached ? "✓" : "✗"} ${sign} ${bound}`;
}
