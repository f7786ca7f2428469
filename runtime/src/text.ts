/** The parts of a text, of which there is at least one. */
export function split(text: string, separator: string | RegExp): [string, ...string[]] {
  const [first = "", ...others] = text.split(separator);
  return [first, ...others];
}

/**
 * The texts of the first four groups of a pattern. One that takes no part in the match is empty, and all are
 * if nothing matches.
 */
export function groupsOf(
  pattern: RegExp,
  text: string | undefined,
): [string, string, string, string] {
  const match = text === undefined ? undefined : pattern.exec(text);
  const [, first = "", second = "", third = "", fourth = ""] = match ?? [];
  return [first, second, third, fourth];
}

/** Leaves out what a text may begin with. */
export function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : text;
}

/** Leaves out what a text may end with. */
export function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}
