import { type Problem, problem } from "./problem.js";

/**
 * Reports names that look like misspelt known ones. Names that resemble no known one are allowed:
 * an object of options may be shared with other readers.
 *
 * @param prefix is put before names in messages, such as `limits.`
 */
export function misspeltNames(value: object, known: readonly string[], prefix = ""): Problem[] {
  return unknownNameProblems(value, known, prefix);
}

/** Reports every unknown name: with the known name it resembles, or else with all known names. */
export function unknownNames(value: object, known: readonly string[], prefix = ""): Problem[] {
  return unknownNameProblems(value, known, prefix, `the options are ${known.join(", ")}`);
}

/** @param ifUnlike the advice for a name that resembles no known one, which is allowed by default */
function unknownNameProblems(
  value: object,
  known: readonly string[],
  prefix: string,
  ifUnlike?: string,
): Problem[] {
  return Object.entries(value).flatMap(([name, option]) => {
    if (option === undefined || known.includes(name)) return [];
    const meant = nearName(name, known);
    const advice = meant === undefined ? ifUnlike : `did you mean ${meant}?`;
    return advice === undefined
      ? []
      : [problem(`${prefix}${name}`, "unknown", `is unknown: ${advice}`)];
  });
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
