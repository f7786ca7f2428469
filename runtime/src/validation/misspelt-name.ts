import { type Problem, problem } from "./problem.js";

/**
 * Reports names that look like misspelt known ones. Names that resemble no known one are allowed:
 * an object of options may be shared with other readers.
 *
 * @param prefix is put before names in messages, such as `limits.`
 */
export function misspeltNames(value: object, known: readonly string[], prefix = ""): Problem[] {
  return unknownNameProblems(value, known, prefix, (name) => question(nearName(name, known)));
}

/**
 * Reports every unknown name: with the known names that it resembles, or else with all known names.
 *
 * @param meaning explains a name that means something elsewhere
 */
export function unknownNames(
  value: object,
  known: readonly string[],
  prefix = "",
  meaning: (name: string) => string | undefined = () => undefined,
): Problem[] {
  const otherwise =
    known.length > MOST_LISTED ? "remove it" : `the options are ${known.join(", ")}`;
  return unknownNameProblems(
    value,
    known,
    prefix,
    (name) => meaning(name) ?? question(...meantNames(name, known)) ?? otherwise,
  );
}

/** Longer lists of names help nobody. */
const MOST_LISTED = 15;

/** @param adviceOn an unknown name; undefined if the name is allowed */
function unknownNameProblems(
  value: object,
  known: readonly string[],
  prefix: string,
  adviceOn: (name: string) => string | undefined,
): Problem[] {
  return Object.entries(value).flatMap(([name, option]) => {
    if (option === undefined || known.includes(name)) return [];
    const advice = adviceOn(name);
    return advice === undefined
      ? []
      : [problem(`${prefix}${name}`, "unknown", `is unknown: ${advice}`)];
  });
}

function question(...names: readonly (string | undefined)[]): string | undefined {
  const meant = names.filter((name) => name !== undefined);
  return meant.length === 0 ? undefined : `did you mean ${meant.join(" or ")}?`;
}

/** The known name that is misspelt, or else those that share all words of the shorter name. */
function meantNames(name: string, known: readonly string[]): readonly string[] {
  const near = nearName(name, known);
  if (near !== undefined) return [near];
  const related = known.filter((other) => hasWordsOf(other, name) || hasWordsOf(name, other));
  return related.length > 2 ? [] : related;
}

/** Whether `retryPolicy` has the words of `retry`, side by side. */
function hasWordsOf(longer: string, shorter: string): boolean {
  return words(longer).includes(words(shorter));
}

/** `retryPolicy` as " retry policy ". */
function words(name: string): string {
  return ` ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()} `;
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
