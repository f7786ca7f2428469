import { cached } from "../../collections.js";

/**
 * Matches whole names of a list, which has spaces between them, whatever their case: `*` stands for the rest
 * of a word, `**` for any text, and `(a|b)` for either.
 */
export const oneOf = (names: string) =>
  cached(compiled, names, () => new RegExp(`^(${pattern(names)})$`, "i"));

/** Some lists are matched with every resource. */
const compiled = new Map<string, RegExp>();

/** Matches the names of attributes, and the paths of what is in them, by their {@link plain} form. */
export const attributes = (names: string) => new RegExp(`^(${plain(pattern(names))})(\\.|$)`);

/** The spelling of a name that providers and Resource Manager share: `accesstier`. */
export const plain = (name: string) => name.replaceAll("_", "").toLowerCase();

const pattern = (names: string) =>
  names
    .trim()
    .replace(/\s+/g, "|")
    .replaceAll(".", "\\.")
    .replace(/\*+/g, (stars) => (stars === "*" ? "\\w*" : ".*"));
