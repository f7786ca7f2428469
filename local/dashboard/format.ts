import type { Outcome } from "../src/dashboard/index.js";

export type Tone = "good" | "bad" | "warn" | "info" | "muted";

export const outcomes: Readonly<Record<Outcome, { label: string; tone: Tone }>> = {
  accepted: { label: "Accepted", tone: "info" },
  unmatched: { label: "No match", tone: "muted" },
  delivered: { label: "Delivered", tone: "good" },
  retrying: { label: "Retrying", tone: "warn" },
  deadLettered: { label: "Dead-lettered", tone: "bad" },
  dropped: { label: "Dropped", tone: "bad" },
  handshakeSucceeded: { label: "Handshake", tone: "good" },
  handshakeFailed: { label: "Failed", tone: "bad" },
};

const pad = (number: number, length = 2) => String(number).padStart(length, "0");

/** `14:05:09.123`, in the browser's time zone. */
export function clockTime(at: number | string): string {
  const date = new Date(at);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`;
}

export function dateTime(at: number | string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clockTime(at)}`;
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1) return "<1 ms";
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const minutes = milliseconds / 60_000;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 6) / 10} h`;
}

export function bytes(count: number): string {
  return count < 1024 ? `${count} B` : `${(count / 1024).toFixed(1)} KiB`;
}

export interface JsonToken {
  readonly text: string;
  readonly kind: "key" | "string" | "number" | "literal" | "punctuation" | "space";
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/**
 * JSON text with line breaks and indentation, in tokens to be coloured. It works on the text, since
 * parsing would change long numbers and drop repeated names.
 */
export function indentJson(json: string): JsonToken[] {
  const tokens: JsonToken[] = [];
  const found = json.match(TOKEN) ?? [];
  let depth = 0;
  const newLine = () => tokens.push({ text: `\n${"  ".repeat(depth)}`, kind: "space" });
  for (const [index, text] of found.entries()) {
    const next = found[index + 1];
    if (text === "{" || text === "[") {
      depth++;
      tokens.push({ text, kind: "punctuation" });
      if (next !== "}" && next !== "]") newLine();
    } else if (text === "}" || text === "]") {
      depth--;
      const isEmpty = found[index - 1] === "{" || found[index - 1] === "[";
      if (!isEmpty) newLine();
      tokens.push({ text, kind: "punctuation" });
    } else if (text === ",") {
      tokens.push({ text, kind: "punctuation" });
      newLine();
    } else if (text === ":") {
      tokens.push({ text: ": ", kind: "punctuation" });
    } else {
      tokens.push({ text, kind: kindOf(text, next) });
    }
  }
  return tokens;
}

function kindOf(text: string, next: string | undefined): JsonToken["kind"] {
  if (text.startsWith('"')) return next === ":" ? "key" : "string";
  return /^[-\d]/.test(text) ? "number" : "literal";
}

export function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}
