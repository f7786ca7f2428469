/**
 * The known name that a misspelt one is probably meant for, ignoring case: at most two letters are
 * missing, added or replaced, or one in a name of fewer than seven letters. A short name such as
 * `port` differs in too much of it to be recognised by more than its case.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((other) => ({
      other,
      distance: distance(name.toLowerCase(), other.toLowerCase(), mostMistakes(other)),
    }))
    .filter((candidate) => Number.isFinite(candidate.distance))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.other;
}

function mostMistakes({ length }: string): number {
  if (length < 5) return 0;
  return length < 7 ? 1 : 2;
}

/** The number of letters to add, remove or replace; infinite if there are more than `most`. */
function distance(from: string, to: string, most: number): number {
  if (from === to) return 0;
  if (most === 0) return Number.POSITIVE_INFINITY;
  const [left, wanted] = [from.slice(1), to.slice(1)];
  if (from[0] === to[0]) return distance(left, wanted, most);
  const others = [distance(left, wanted, most - 1), distance(left, to, most - 1)];
  return 1 + Math.min(...others, distance(from, wanted, most - 1));
}
