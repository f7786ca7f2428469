/** A text must contain one of the values, or none of them. */
export interface TextRequirement {
  readonly values: readonly string[];
  /** `In`, `Contains`, `BeginsWith` or `EndsWith`. */
  readonly edge: string;
  readonly isWanted: boolean;
  readonly ignoresCase: boolean;
}

/** The ends of a text, which patterns contain as characters. Unicode has no such characters. */
const BEGIN = "\uFDD0";
const END = "\uFDD1";

/**
 * Finds a text that meets all requirements, when none of their values does.
 *
 * It is put together from what is wanted, with a character between the parts that no value has, so that
 * nothing occurs in it that does not occur in a part. Where every choice of a part has something in it that
 * must not occur, so has every text that meets the other requirements.
 */
export function findText(
  requirements: readonly TextRequirement[],
): { readonly value: string } | "none" | "unknown" {
  const values = requirements.flatMap((requirement) => requirement.values);
  // The caller has tried the values themselves, and no other text is one of them.
  if (requirements.some((one) => one.edge === "In" && one.isWanted && !one.ignoresCase)) {
    return "none";
  }
  const isOdd = (value: string) =>
    value.toLowerCase().length !== value.length || /[\uFDD0\uFDD1]/.test(value);
  if (values.some(isOdd)) return "unknown";
  const spare = spareIn(values);
  const text = joined(requirements, spare);
  if (text !== undefined) return { value: text };
  const hasCase = (value: string) => value.toLowerCase() !== value.toUpperCase();
  const kinds = requirements.filter((one) => one.values.some(hasCase));
  if (new Set(kinds.map(({ ignoresCase }) => ignoresCase)).size < 2) return "none";
  // If even without regard to case there is none, there is none.
  const weaker = requirements
    .filter(({ isWanted, ignoresCase }) => isWanted || ignoresCase)
    .map((requirement) => ({ ...requirement, ignoresCase: true }));
  return joined(weaker, spare) === undefined ? "none" : "unknown";
}

/** All that is wanted, one after the other; undefined if one of it has something in it that must not occur. */
function joined(requirements: readonly TextRequirement[], spare: string): string | undefined {
  const unwanted = requirements.filter(({ isWanted }) => !isWanted);
  const isFree = (part: string) => !unwanted.some((one) => occursIn(one, part));
  const wanted = requirements.filter(({ isWanted }) => isWanted).map(spelled);
  const at = (edge: string) => wanted.filter((one) => one.edge === edge);
  /** The beginning, the end or the whole: a value with which all requirements for it are met. */
  const outer = (all: readonly TextRequirement[], part: (value: string) => string) =>
    ["", ...all.flatMap(({ values }) => values)].find(
      (value) => isFree(part(value)) && all.every((one) => occursIn(one, part(value))),
    );
  if (at("In").length > 0) return outer(wanted, (value) => `${BEGIN}${value}${END}`);
  const begin = outer(at("BeginsWith"), (value) => `${BEGIN}${value}`);
  const end = outer(at("EndsWith"), (value) => `${value}${END}`);
  const inner = at("Contains").map(({ values }) => values.find(isFree));
  const parts = [begin, ...inner, end];
  return parts.includes(undefined) ? undefined : parts.join(spare);
}

/** Of values in any case, also those in small and in capital letters. */
const spelled = (one: TextRequirement): TextRequirement => ({
  ...one,
  values: one.ignoresCase
    ? one.values.flatMap((value) => [value, value.toLowerCase(), value.toUpperCase()])
    : one.values,
});

function occursIn({ values, edge, ignoresCase }: TextRequirement, part: string): boolean {
  const begin = edge === "In" || edge === "BeginsWith" ? BEGIN : "";
  const end = edge === "In" || edge === "EndsWith" ? END : "";
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  return values.some((value) => fold(part).includes(fold(`${begin}${value}${end}`)));
}

/** A character that is in no value. */
function spareIn(values: readonly string[]): string {
  const all = values.join("").toLowerCase();
  const found = "xyzabcdefghijklmnopqrstuvw0123456789-_"
    .split("")
    .find((one) => !all.includes(one));
  return found ?? "\u2022";
}
