/**
 * The known name that a misspelt one is meant for: at most two letters are missing, too many or
 * others, whatever their case; of a short name, none.
 */
export function nearName(name: string, known: readonly string[]): string | undefined {
  return known.find((other) => isNear(name.toLowerCase(), other.toLowerCase()));
}

function isNear(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 2 || b.length < 5) return false;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return (row[b.length] ?? 0) <= 2;
}
