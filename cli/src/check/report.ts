import { counted } from "../numbers.js";
import { aligned, type Colours, wrapped } from "../terminal/index.js";
import type { CheckedBinding, Finding } from "./check-bindings.js";

/** The results as text: one paragraph per definition. */
export function checkReport(results: readonly CheckedBinding[], columns?: number): string {
  return results.map((result) => paragraph(result, columns)).join("\n");
}

export const COLOURS: Colours = { error: "red", warning: "yellow" };

/** Columns before a message. */
const INDENT = "  warning  ".length;

function paragraph(
  { source, component, valid, problems, warnings, directions }: CheckedBinding,
  columns: number | undefined,
) {
  const name = component === undefined ? source : `${source} (${component})`;
  const counts = [count(problems, "problem"), count(warnings, "warning")].filter(Boolean);
  const lines = [
    `${name}: ${valid ? "valid" : "invalid"}${counts.length > 0 ? `, ${counts.join(", ")}` : ""}`,
    ...problems.map(
      (problem) => `  error    ${wrapped(located(source, problem), INDENT, columns)}`,
    ),
    ...warnings.map(
      (warning) => `  warning  ${wrapped(located(source, warning), INDENT, columns)}`,
    ),
  ];
  for (const { direction, facts } of directions) {
    lines.push(`  ${direction === "input" ? "Receives events" : "Publishes events"}`);
    lines.push(...aligned(Object.entries(facts)).map((line) => `    ${line}`));
  }
  return `${lines.join("\n")}\n`;
}

function located(source: string, { line, message }: Finding): string {
  return line === undefined ? message : `${source}:${line}: ${message}`;
}

function count(findings: readonly Finding[], noun: string): string {
  return findings.length === 0 ? "" : counted(findings.length, noun);
}
