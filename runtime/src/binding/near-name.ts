/**
 * The known name that a misspelt one is meant for: one letter is missing, too many, another or
 * swapped with its neighbour, or two of a name of seven letters and more. Case does not count; of a
 * name below five letters it is all that may differ.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  return known.find((other) => isWithin(slips(other.length), given, other.toLowerCase()));
}

/** More would take names for misspelt that others read: `watch` is no `fetch`. */
function slips(length: number): number {
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
