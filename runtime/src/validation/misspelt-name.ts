import { type Problem, problem } from "./problem.js";

/** Longer lists of names help nobody. */
const MOST_LISTED = 15;

/**
 * Reports unknown names, each with the known name that it resembles.
 *
 * @param prefix is put before names in messages, such as `limits.`
 * @param adviceOn a name that resembles no known one; undefined if such a name is allowed
 */
export function unknownNames(
  value: object,
  known: readonly string[],
  prefix: string,
  adviceOn: (name: string) => string | undefined = () =>
    known.length > MOST_LISTED ? "remove it" : `the options are ${known.join(", ")}`,
): Problem[] {
  return Object.entries(value).flatMap(([name, option]) => {
    if (option === undefined || known.includes(name)) return [];
    const near = nearName(name, known);
    const advice = near === undefined ? adviceOn(name) : `did you mean ${near}?`;
    if (advice === undefined) return [];
    return problem(`${prefix}${name}`, "unknown", `is unknown: ${advice}`);
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
