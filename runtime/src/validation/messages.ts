import { type Problem, problem } from "../errors.js";
import { groupsOf } from "../text.js";
import { hasSecret } from "./secrets.js";

/** Longer lists of names help nobody. */
const MOST_LISTED = 15;

/** How unknown names are reported. */
export interface UnknownNames {
  /** Explains a name that means something elsewhere, or that meant something once. */
  meaningOf?(name: string): string | undefined;
  /**
   * Whether names that resemble no known one are allowed, which suits an object that others put
   * options of their own into.
   *
   * @default false
   */
  readonly allowsOthers?: boolean;
}

/**
 * Reports unknown names, each with its meaning, the known name that it resembles, or all known names.
 *
 * @param prefix is put before names in messages, such as `limits.`
 */
export function unknownNames(
  value: object,
  known: readonly string[],
  prefix: string,
  { meaningOf, allowsOthers = false }: UnknownNames = {},
): Problem[] {
  const otherwise = (name: string) => {
    if (known.length <= MOST_LISTED) return `the options are ${known.join(", ")}`;
    const related = relatedNames(name, known);
    const isClear = related.length === 1 || related.length === 2;
    return isClear ? `did you mean ${related.join(" or ")}?` : "remove it";
  };
  return Object.entries(value).flatMap(([name, option]) => {
    if (option === undefined || known.includes(name)) return [];
    const near = nearName(name, known);
    const advice = meaningOf?.(name) ?? (near && `did you mean ${near}?`);
    if (advice === undefined && allowsOthers) return [];
    const message = `is unknown: ${advice ?? otherwise(name)}`;
    return problem(`${prefix}${showName(name)}`, { unknown: message });
  });
}

/** The known names that have all words of a name, or the other way round: `retryPolicy` for `retry`. */
function relatedNames(name: string, known: readonly string[]): readonly string[] {
  const words = (text: string) => ` ${text.replace(/[A-Z]/g, " $&")} `.toLowerCase();
  const has = (text: string, part: string) => words(text).includes(words(part));
  return known.filter((other) => has(other, name) || has(name, other));
}

/**
 * The known name that a misspelt one is probably meant for, ignoring case.
 *
 * One letter may be missing, added, replaced or swapped with its neighbour; two in a name of seven
 * letters or more; none in a name of fewer than five, because `watch` is not a misspelt `fetch`.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const lowerCase = name.toLowerCase();
  return known.find((other) => isWithin(mistakes(other.length), lowerCase, other.toLowerCase()));
}

function mistakes(length: number): number {
  if (length < 5) return 0;
  return length < 7 ? 1 : 2;
}

function isWithin(count: number, a: string, b: string): boolean {
  if (a === b) return true;
  if (count === 0) return false;
  let at = 0;
  while (a[at] === b[at]) at += 1;
  const isSwapped = a[at] === b[at + 1] && a[at + 1] === b[at];
  return (
    isWithin(count - 1, a.slice(at + 1), b.slice(at)) ||
    isWithin(count - 1, a.slice(at), b.slice(at + 1)) ||
    isWithin(count - 1, a.slice(at + 1), b.slice(at + 1)) ||
    (isSwapped && isWithin(count - 1, a.slice(at + 2), b.slice(at + 2)))
  );
}

const LONGEST = 200;

/**
 * A received value as an error message may show it: strings in quotes, on one line and shortened.
 *
 * The query and the credentials of a URL are left out because they are often secrets, and so is a text
 * that looks like a key: it may be in the wrong field.
 */
export function showValue(value: unknown): string {
  if (typeof value === "string") {
    return hasSecret(value) ? hidden(value) : JSON.stringify(shorten(withoutUrlSecrets(value)));
  }
  if (Array.isArray(value)) return isNumbers(value) ? `[${value.join(", ")}]` : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "function" ? "a function" : String(value);
}

/** A name that was given, as a message may show it: in its place, there may be a secret. */
export function showName(name: string): string {
  return hasSecret(name) ? hidden(name) : shorten(name);
}

function hidden(text: string): string {
  return `a text of ${text.length} characters that looks like a secret`;
}

function isNumbers(list: readonly unknown[]): boolean {
  return list.length > 0 && list.length < 10 && list.every((item) => typeof item === "number");
}

function withoutUrlSecrets(text: string): string {
  const [scheme] = groupsOf(/^([a-z][a-z\d+.-]*:[/][/])/i, text);
  const hasUser = text.slice(0, Math.max(0, text.lastIndexOf("@"))).includes(":");
  return hasUser ? `${scheme}…` : text.replace(/([?#]).+/s, "$1…");
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
