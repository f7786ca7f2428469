/** A text must contain one of the values, or none of them. */
export interface TextRequirement {
  readonly values: readonly string[];
  /** `In`, `Contains`, `BeginsWith` or `EndsWith`. */
  readonly edge: string;
  readonly isWanted: boolean;
  readonly ignoresCase: boolean;
}

/** States that are visited before the search gives up. */
const MAX_STATES = 20_000;

/** The ends of a text, which patterns can contain as any other character. */
const BEGIN = "begin";
const END = "end";

interface Pattern {
  readonly tokens: readonly string[];
  readonly requirement: TextRequirement;
  /** The bit of a wanted requirement; 0 for one that must not occur. */
  readonly bit: number;
}

/** How far patterns have occurred, as `pattern * 1024 + position`, and which requirements are met. */
interface State {
  readonly text: string;
  readonly open: readonly number[];
  readonly met: number;
}

/** Patterns are at most 512 characters long. */
const POSITIONS = 1024;

/**
 * Finds a shortest text that meets all requirements, when none of their values does. With the ends as
 * characters, each of them says that patterns occur or do not occur, so a search through the positions
 * in all patterns finds a text, or proves that there is none.
 */
export function findText(
  requirements: readonly TextRequirement[],
): { readonly value: string } | "none" | "unknown" {
  const exact = requirements.filter(({ edge, isWanted }) => edge === "In" && isWanted);
  const isCaseRelevant = requirements.some(({ ignoresCase }) => !ignoresCase);
  // The caller has tried the values themselves, and no other text is one of them.
  if (exact.some(({ ignoresCase }) => !ignoresCase || !isCaseRelevant)) return "none";
  const patterns = patternsOf(requirements);
  if (patterns === undefined) return "unknown";
  const all = patterns.reduce((bits, { bit }) => bits | bit, 0);
  const start = step(patterns, { text: "", open: [], met: 0 }, BEGIN);
  const alphabet = alphabetOf(requirements);
  const seen = new Set<string>();
  let states = start === undefined ? [] : [start];
  while (states.length > 0) {
    const next: State[] = [];
    for (const state of states) {
      const end = step(patterns, state, END);
      if (end !== undefined && end.met === all) return { value: state.text };
      for (const character of alphabet) {
        const after = step(patterns, state, character);
        if (after === undefined) continue;
        const key = `${after.met} ${after.open.join(" ")}`;
        if (seen.has(key)) continue;
        if (seen.size === MAX_STATES) return "unknown";
        seen.add(key);
        next.push(after);
      }
    }
    states = next;
  }
  return "none";
}

/** Undefined if there are more requirements than bits, or letters whose lower case has another length. */
function patternsOf(requirements: readonly TextRequirement[]): Pattern[] | undefined {
  if (requirements.length > 30) return undefined;
  const patterns = requirements.flatMap((requirement, index) =>
    requirement.values.map((value): Pattern => {
      const { edge, isWanted, ignoresCase } = requirement;
      const text = (ignoresCase ? value.toLowerCase() : value).split("");
      const begin = edge === "In" || edge === "BeginsWith" ? [BEGIN] : [];
      const end = edge === "In" || edge === "EndsWith" ? [END] : [];
      const tokens = [...begin, ...text, ...end];
      return {
        // Every text contains the empty one.
        tokens: tokens.length === 0 ? [BEGIN] : tokens,
        requirement,
        bit: isWanted ? 2 ** index : 0,
      };
    }),
  );
  const isOdd = ({ values }: TextRequirement) =>
    values.some(
      (value) => value.toLowerCase().length !== value.length || value.length >= POSITIONS,
    );
  return requirements.some(isOdd) ? undefined : patterns;
}

/** The state after one more character; undefined if a pattern has occurred that must not. */
function step(patterns: readonly Pattern[], state: State, token: string): State | undefined {
  const open: number[] = [];
  let { met } = state;
  const isDead = (pattern: Pattern, index: number, position: number): boolean => {
    const expected = pattern.tokens[position];
    const folded = pattern.requirement.ignoresCase ? token.toLowerCase() : token;
    if (expected !== folded) return false;
    if (position + 1 < pattern.tokens.length) {
      open.push(index * POSITIONS + position + 1);
      return false;
    }
    met |= pattern.bit;
    return pattern.bit === 0;
  };
  for (const each of state.open) {
    const index = Math.floor(each / POSITIONS);
    const pattern = patterns[index];
    if (pattern && isDead(pattern, index, each % POSITIONS)) return undefined;
  }
  for (const [index, pattern] of patterns.entries()) {
    if (isDead(pattern, index, 0)) return undefined;
  }
  const isEnd = token === BEGIN || token === END;
  return { text: isEnd ? state.text : state.text + token, open: open.sort((a, b) => a - b), met };
}

/** All characters of the values, in both cases where the case can matter, and one that is in none. */
function alphabetOf(requirements: readonly TextRequirement[]): string[] {
  const isCaseRelevant = requirements.some(({ ignoresCase }) => !ignoresCase);
  const characters = requirements.flatMap(({ values, ignoresCase }) =>
    values.flatMap((value) => (ignoresCase ? value.toLowerCase() : value).split("")),
  );
  const cased = isCaseRelevant
    ? characters.flatMap((each) => [each, each.toLowerCase(), each.toUpperCase()])
    : characters;
  const known = new Set(cased.filter((each) => each.length === 1));
  const spare = "xyzabcdefghijklmnopqrstuvw0123456789-_".split("").find((each) => !known.has(each));
  return [...known, spare ?? "\u2022"];
}
