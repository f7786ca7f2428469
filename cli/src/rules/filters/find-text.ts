/** A text must contain one of the values, or none of them. */
export interface TextRequirement {
  readonly values: readonly string[];
  /** `In`, `Contains`, `BeginsWith` or `EndsWith`. */
  readonly edge: string;
  readonly isWanted: boolean;
  readonly ignoresCase: boolean;
}

/** The steps that searches may still make, which is the same on every machine. */
export interface Budget {
  steps: number;
}

/** Steps of one search before it gives up. */
const MAX_STEPS = 1_000_000;

/** The ends of a text, which patterns contain as characters. Unicode has no such characters. */
const BEGIN = "\uFDD0";
const END = "\uFDD1";

/**
 * Finds a short text that meets all requirements, when none of their values does. Each requirement says
 * that patterns occur in the text or do not, so a search through the beginnings of patterns finds a text,
 * or proves that there is none.
 */
export function findText(
  requirements: readonly TextRequirement[],
  budget: Budget,
): { readonly value: string } | "none" | "unknown" {
  const exact = requirements.filter(({ edge, isWanted }) => edge === "In" && isWanted);
  const isCaseRelevant = requirements.some(({ ignoresCase }) => !ignoresCase);
  // The caller has tried the values themselves, and no other text is one of them.
  if (exact.some(({ ignoresCase }) => !ignoresCase || !isCaseRelevant)) return "none";
  const values = requirements.flatMap((requirement) => requirement.values);
  const isOdd = (value: string) =>
    value.toLowerCase().length !== value.length || /[\uFDD0\uFDD1]/.test(value);
  if (requirements.length > 30 || values.some(isOdd)) return "unknown";
  const alphabet = alphabetOf(values, isCaseRelevant);
  const search = new Search(requirements);
  if (search.isImpossible) return "none";
  const joined = joinedValues(requirements, alphabet.at(-1) ?? "");
  if (search.meets(joined)) return { value: joined };
  return search.find(alphabet, budget);
}

/** All that is wanted, one after the other: most often this is a text already. */
function joinedValues(requirements: readonly TextRequirement[], between: string): string {
  const wanted = (edge: string) =>
    requirements
      .filter((one) => one.isWanted && one.edge === edge)
      .map(({ values }) => values[0] ?? "");
  const longest = (texts: readonly string[]) =>
    texts.reduce((a, b) => (b.length > a.length ? b : a), "");
  const [begin, end] = [longest(wanted("BeginsWith")), longest(wanted("EndsWith"))];
  return [begin, ...wanted("Contains"), end].filter((part) => part !== "").join(between);
}

/** A text so far: where both automata are, and the bits of the requirements that are met. */
interface State {
  readonly exact: Ending;
  readonly folded: Ending;
  readonly met: number;
  readonly text: string;
}

class Search {
  /** The patterns whose case matters, and the others. */
  readonly #exact: Automaton;
  readonly #folded: Automaton;
  readonly #all: number;
  /** Whether each value of something wanted contains what must not occur, so that no search is needed. */
  readonly isImpossible: boolean;

  constructor(requirements: readonly TextRequirement[]) {
    const patterns = requirements.flatMap(patternsOf);
    this.#exact = new Automaton(patterns.filter(({ ignoresCase }) => !ignoresCase));
    this.#folded = new Automaton(patterns.filter(({ ignoresCase }) => ignoresCase));
    this.#all = patterns.reduce((bits, { bit }) => bits | bit, 0);
    this.isImpossible = requirements.some(
      (one) => one.isWanted && patternsOf(one, 0).every((pattern) => this.#excludes(pattern)),
    );
  }

  #excludes({ text, ignoresCase }: Pattern): boolean {
    let [exact, folded] = [this.#exact.start, this.#folded.start];
    return text.split("").some((character) => {
      // A text may have it in another case, of which the other automaton knows nothing.
      if (!ignoresCase) exact = this.#exact.next(exact, character);
      folded = this.#folded.next(folded, character.toLowerCase());
      return exact.met === undefined || folded.met === undefined;
    });
  }

  meets(text: string): boolean {
    let state = this.#start();
    for (const character of `${text}${END}`.split(""))
      state = state && this.#step(state, character);
    return state?.met === this.#all;
  }

  find(
    alphabet: readonly string[],
    budget: Budget,
  ): { readonly value: string } | "none" | "unknown" {
    const start = this.#start();
    const states = start === undefined ? [] : [start];
    const [exact, folded] = [this.#exact.size, this.#folded.size];
    if ((this.#all + 1) * exact * folded > Number.MAX_SAFE_INTEGER) return "unknown";
    const seen = new Set<number>();
    const least = budget.steps - MAX_STEPS;
    for (const state of states) {
      if (this.#step(state, END)?.met === this.#all) return { value: state.text };
      budget.steps -= alphabet.length;
      if (budget.steps < Math.max(0, least)) return "unknown";
      for (const character of alphabet) {
        const next = this.#step(state, character);
        if (next === undefined) continue;
        const key = (next.met * exact + next.exact.number) * folded + next.folded.number;
        if (seen.has(key)) continue;
        seen.add(key);
        states.push(next);
      }
    }
    return "none";
  }

  #start(): State | undefined {
    const [exact, folded] = [this.#exact.start, this.#folded.start];
    const begun = this.#step({ exact, folded, met: 0, text: "" }, BEGIN);
    return begun && { ...begun, text: "" };
  }

  /** The state after one more character; undefined if a pattern has occurred that must not. */
  #step(before: State, character: string): State | undefined {
    const exact = this.#exact.next(before.exact, character);
    const folded = this.#folded.next(before.folded, character.toLowerCase());
    if (exact.met === undefined || folded.met === undefined) return undefined;
    const met = before.met | exact.met | folded.met;
    return { exact, folded, met, text: before.text + character };
  }
}

/** A value of a requirement. */
interface Pattern {
  readonly text: string;
  readonly ignoresCase: boolean;
  /** The bit of a wanted requirement; 0 for one that must not occur. */
  readonly bit: number;
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

/** The end of a text, as far as patterns can go on from it. */
interface Ending {
  readonly number: number;
  /** The longest one that a pattern begins with. */
  readonly text: string;
  /** The bits of the patterns that end here; undefined if one of them must not. */
  readonly met: number | undefined;
  readonly next: Map<string, Ending>;
}

/** Finds all patterns in a text at once, as Aho and Corasick do. */
class Automaton {
  readonly #beginnings: ReadonlySet<string>;
  readonly #endings = new Map<string, Ending>();
  readonly start: Ending;

  constructor(private readonly patterns: readonly Pattern[]) {
    const beginnings = patterns.flatMap(({ text }) =>
      text.split("").map((_, index) => text.slice(0, index + 1)),
    );
    this.#beginnings = new Set(["", ...beginnings]);
    this.start = this.#ending("");
  }

  get size(): number {
    return this.#beginnings.size;
  }

  next(ending: Ending, character: string): Ending {
    const known = ending.next.get(character);
    if (known !== undefined) return known;
    let text = ending.text + character;
    while (!this.#beginnings.has(text)) text = text.slice(1);
    const found = this.#ending(text);
    ending.next.set(character, found);
    return found;
  }

  #ending(text: string): Ending {
    const known = this.#endings.get(text);
    if (known !== undefined) return known;
    const bits = this.patterns.filter((one) => text.endsWith(one.text)).map(({ bit }) => bit);
    const met = bits.includes(0) ? undefined : bits.reduce((all, bit) => all | bit, 0);
    const ending = { number: this.#endings.size, text, met, next: new Map<string, Ending>() };
    this.#endings.set(text, ending);
    return ending;
  }
}

/** All characters of the values, in both cases where the case can matter, and at last one that is in none. */
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
