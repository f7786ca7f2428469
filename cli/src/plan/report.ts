import { counted } from "../numbers.js";
import { type Colours, oneLine, wrapped } from "../terminal/index.js";
import type { Explanation } from "./explain.js";
import type { Counts, Finding } from "./finding.js";

export const COLOURS: Colours = {
  LOST: "red",
  REPLACED: "red",
  narrower: "red",
  changed: "red",
  unknown: "magenta",
  handshake: "yellow",
  new: "green",
  wider: "green",
};

/**
 * The explanation as text.
 *
 * @param columns width of the terminal; without it, lines are not wrapped
 */
export function planText({ resources, ...counts }: Explanation, columns?: number): string {
  const parts = resources.map(({ name, address, findings }) => {
    const title = name === address || address === "" ? name : `${name} (${address})`;
    return `${oneLine(title)}\n${merged(findings)
      .map((each) => lineOf(each, columns))
      .join("")}`;
  });
  return `${parts.join("")}${verdict(counts)}\n`;
}

const LABEL = "handshake".length + 2;

interface Line extends Finding {
  readonly eventTypes: readonly string[];
}

/** Findings that differ only in the type are one line. */
function merged(findings: readonly Finding[]): Line[] {
  const lines: Line[] = [];
  for (const finding of findings) {
    const { eventType, label, message, counts } = finding;
    const last = lines.at(-1);
    const isSame = last?.label === label && last.message === message && !last.counts && !counts;
    if (isSame && eventType !== undefined && last.isAllowed === finding.isAllowed) {
      lines.splice(-1, 1, { ...last, eventTypes: [...last.eventTypes, eventType] });
    } else {
      lines.push({ ...finding, eventTypes: eventType === undefined ? [] : [eventType] });
    }
  }
  return lines;
}

function lineOf(line: Line, columns: number | undefined): string {
  const { label, eventTypes, message, counts, remedy, isAllowed } = line;
  const what = eventTypes.length === 0 ? message : `${eventTypes.join(", ")}: ${message}`;
  const allowed = isAllowed ? " (allowed)" : "";
  const text = oneLine(`${what}${counts ? countsText(counts) : ""}${allowed}`);
  const indent = LABEL + 2;
  const first = `  ${label.padEnd(LABEL)}${wrapped(text, indent, columns)}\n`;
  if (remedy === undefined) return first;
  return `${first}${" ".repeat(indent)}→ ${wrapped(remedy, indent + 2, columns)}\n`;
}

function countsText({ before, after, lost, total }: Counts): string {
  const number = (count: number) => count.toLocaleString("en-US");
  if (after === 0) return ` (${number(lost)} of ${number(total)} recorded events)`;
  return ` (${number(before)} → ${number(after)} of ${number(total)} recorded events)`;
}

function verdict({ lost, unknown }: { readonly lost: number; readonly unknown: number }): string {
  if (lost > 0) return `${counted(lost, "finding")} ${lost === 1 ? "loses" : "lose"} events.`;
  if (unknown > 0) return `${counted(unknown, "finding")} may lose events.`;
  return "No event is lost.";
}
