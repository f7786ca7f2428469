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

/** The ends of a text, which patterns contain as characters. Unicode has no such characters. */
const BEGIN = "\uFDD0";
const END = "\uFDD1";

/** A value of a requirement. */
interface Pattern {
  readonly text: string;
  readonly ignoresCase: boolean;
  /** The bit of a wanted requirement; 0 for one that must not occur. */
  readonly bit: number;
}

interface State {
  readonly text: string;
  /** The longest end of the text that a pattern begins with: nothing before it matters any more. */
  readonly tail: string;
  /** The bits of the requirements that are met. */
  readonly met: number;
}

/**
 * Finds a shortest text that meets all requirements, when none of their values does. Each requirement
 * says that patterns occur in the text or do not, so a search through the beginnings of patterns finds
 * a text, or proves that there is none.
 */
export function findText(
  requirements: readonly TextRequirement[],
): { readonly value: string } | "none" | "unknown" {
  const exact = requirements.filter(({ edge, isWanted }) => edge === "In" && isWanted);
  const isCaseRelevant = requirements.some(({ ignoresCase }) => !ignoresCase);
  // The caller has tried the values themselves, and no other text is one of them.
  if (exact.some(({ ignoresCase }) => !ignoresCase || !isCaseRelevant)) return "none";
  const values = requirements.flatMap((requirement) => requirement.values);
  const isOdd = (value: string) =>
    value.toLowerCase().length !== value.length || /[\uFDD0\uFDD1]/.test(value);
  if (requirements.length > 30 || values.some(isOdd)) return "unknown";
  const patterns = requirements.flatMap(patternsOf);
  const all = patterns.reduce((bits, { bit }) => bits | bit, 0);
  const alphabet = alphabetOf(values, isCaseRelevant);
  const start = step(patterns, { text: "", tail: "", met: 0 }, BEGIN);
  const seen = new Set<string>();
  const states = start === undefined ? [] : [start];
  for (const state of states) {
    if (step(patterns, state, END)?.met === all) return { value: state.text.slice(1) };
    for (const character of alphabet) {
      const next = step(patterns, state, character);
      const key = `${next?.met} ${next?.tail}`;
      if (next === undefined || seen.has(key)) continue;
      if (seen.size === MAX_STATES) return "unknown";
      seen.add(key);
      states.push(next);
    }
  }
  return "none";
}

function patternsOf(requirement: TextRequirement, index: number): Pattern[] {
  const { values, edge, isWanted, ignoresCase } = requirement;
  const begin = edge === "In" || edge === "BeginsWith" ? BEGIN : "";
  const end = edge === "In" || edge === "EndsWith" ? END : "";
  return values.map((value) => ({
    text: `${begin}${ignoresCase ? value.toLowerCase() : value}${end}`,
    ignoresCase,
    bit: isWanted ? 2 ** index : 0,
  }));
}

/** The state after one more character; undefined if a pattern has occurred that must not. */
function step(patterns: readonly Pattern[], state: State, character: string): State | undefined {
  let tail = state.tail + character;
  const folded = (pattern: Pattern) => (pattern.ignoresCase ? tail.toLowerCase() : tail);
  const occurring = patterns.filter((pattern) => folded(pattern).endsWith(pattern.text));
  if (occurring.some(({ bit }) => bit === 0)) return undefined;
  const met = occurring.reduce((bits, { bit }) => bits | bit, state.met);
  const isBeginning = () => patterns.some((pattern) => pattern.text.startsWith(folded(pattern)));
  while (tail !== "" && !isBeginning()) tail = tail.slice(1);
  return { text: state.text + character, tail, met };
}

/** All characters of the values, in both cases where the case can matter, and one that is in none. */
function alphabetOf(values: readonly string[], isCaseRelevant: boolean): string[] {
  const characters = values.flatMap((value) => value.split(""));
  const known = new Set(
    characters.flatMap((each) => {
      const cases = isCaseRelevant ? [each, each.toLowerCase(), each.toUpperCase()] : [];
      return [...cases, each.toLowerCase()].filter(({ length }) => length === 1);
    }),
  );
  const spare = "xyzabcdefghijklmnopqrstuvw0123456789-_".split("").find((each) => !known.has(each));
  return [...known, spare ?? "\u2022"];
}
