import { groupsOf, MINUTE_MS, MINUTES_OF_DAY } from "cloud-eventgrid-binding-runtime/internal";
import { InvalidArgumentError } from "commander";
import { trimmedId } from "./resource-id.js";

/** The description of the argument for component documents. */
export const FILES =
  "component documents, YAML or JSON, of either release: files, folders, patterns, or - for standard input";

/** Help of an option of the commands that write projects. */
export const PACKAGES =
  "install this project's packages from files in this folder (default: from where this command was installed)";

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Reads a whole number within limits, which are both inclusive. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** What the IDs of subscriptions, management groups and resources in them begin with. */
const BEGINNINGS = ["/subscriptions/", "/providers/Microsoft.Management/managementGroups/"];

/**
 * Reads a resource ID, with or without the slash at its beginning, which some shells rewrite.
 *
 * @param command what prints it
 */
export function resourceId(command: string): (text: string) => string {
  return (text) => {
    const id = trimmedId(text);
    const isKnown = BEGINNINGS.some((each) => id.toLowerCase().startsWith(each.toLowerCase()));
    if (isKnown && !id.includes("//")) return id;
    throw new InvalidArgumentError(
      `It must be a resource ID, /subscriptions/…, which ${command} prints as id.`,
    );
  };
}

const MINUTES = new Map([
  ["m", 1],
  ["h", 60],
  ["d", MINUTES_OF_DAY],
]);

/**
 * Reads a point in time: ISO 8601, in UTC unless it names a zone, or a span before now such as `24h`, `7d`
 * or `30m`.
 */
export function readTime(text: string): Date {
  const [amount, unit] = groupsOf(/^(\d{1,6})([mhd])$/, text);
  const minutes = MINUTES.get(unit);
  if (minutes !== undefined) {
    return new Date(Date.now() - Number(amount) * minutes * MINUTE_MS);
  }
  const [day] = groupsOf(/^(\d{4}-\d\d-\d\d)/, text);
  const date = new Date(/[T ][\d:.]+$/i.test(text) ? `${text}Z` : text);
  const start = Date.parse(day);
  // JavaScript takes 30 February for 2 March.
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
  if (isDay && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError("It must be a time such as 2026-01-31T07:00Z, 24h or 7d.");
}
