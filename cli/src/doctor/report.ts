import { counted } from "../numbers.js";
import { type Colours, oneLine, wrapped } from "../terminal/index.js";
import type { Finding, Remedy, Status } from "./finding.js";

/** Widths of the columns before the message, so that each finding can be printed at once. */
const STATUS_WIDTH = "warning".length;
const CHECK_WIDTH = "event-grid-principal".length;
const REMEDY_INDENT = STATUS_WIDTH + 4;
const MESSAGE_INDENT = REMEDY_INDENT + CHECK_WIDTH + 2;

/**
 * A finding as text, followed by its remedy.
 *
 * @param columns width of the terminal; without it, lines are not wrapped
 */
export function findingText({ status, check, message, remedy }: Finding, columns?: number): string {
  const start = `  ${status.padEnd(STATUS_WIDTH)}  ${check.padEnd(CHECK_WIDTH)}  `;
  const line = `${start}${wrapped(oneLine(message), MESSAGE_INDENT, columns)}\n`;
  return remedy === undefined ? line : line + remedyText(remedy, columns);
}

/** A command stays on one line, so that it can be copied. */
function remedyText({ text, command }: Remedy, columns: number | undefined): string {
  const indent = " ".repeat(REMEDY_INDENT);
  const advice =
    text === undefined ? "" : `${indent}→ ${wrapped(oneLine(text), REMEDY_INDENT + 2, columns)}\n`;
  return command === undefined ? advice : `${advice}${indent}→ ${command}\n`;
}

export const COLOURS = {
  ok: "green",
  note: "cyan",
  warning: "yellow",
  failed: "red",
  unknown: "magenta",
} as const satisfies Colours & Record<Status, unknown>;

/** The last line of the report. */
export function verdict(findings: readonly Finding[], purpose = "delivery"): string {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length;
  const [failed, unknown] = [count("failed"), count("unknown")];
  if (failed === 0 && unknown === 0) return `Nothing prevents ${purpose}.`;
  const parts = [
    ...(failed > 0 ? [counted(failed, "problem")] : []),
    ...(unknown > 0 ? [`${counted(unknown, "check")} without a result`] : []),
  ];
  return `${parts.join(", ")}.`;
}
