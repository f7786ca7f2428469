/**
 * The known name that a misspelt one is probably meant for, ignoring case: at most two letters are
 * missing, added or replaced, or one in a name of fewer than seven letters. A short name such as
 * `port` differs in too much of it to be recognised by more than its case.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((other) => ({ other, distance: distance(name.toLowerCase(), other.toLowerCase()) }))
    .filter((candidate) => candidate.distance <= mostMistakes(candidate.other))
    .sort((a, b) => a.distance - b.distance);
  return nearest?.other;
}

function mostMistakes({ length }: string): number {
  if (length < 5) return 0;
  return length < 7 ? 1 : 2;
}

/** The number of letters to add, remove or replace, by dynamic programming over the prefixes. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
