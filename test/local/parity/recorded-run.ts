import { existsSync, readFileSync } from "node:fs";

/** What `npm run azure` recorded of a subscription. */
export interface RecordedRun {
  /** ISO 8601 date. */
  readonly date: string;
  readonly region: string;
  /** What each row returned, by the title of its area and its input. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const FILE = new URL("recorded-run.json", import.meta.url);

/** The last run that someone committed; `undefined` if nobody did. */
export function recordedRun(): RecordedRun | undefined {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : undefined;
}

/** JSON with sorted names. `undefined` has a text where it is not just a missing member. */
export function textOf(value: unknown): string {
  return JSON.stringify(value === undefined ? "undefined" : value, (_, member: unknown) => {
    if (Array.isArray(member))
      return member.map((item) => (item === undefined ? "undefined" : item));
    if (typeof member !== "object" || member === null) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
