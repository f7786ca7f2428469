import { Annotations, Token } from "cdktf";
import { nearName } from "cloud-eventgrid-binding-runtime/binding";
import type { IConstruct } from "constructs";

/** The names of all props, of whichever member of a union. */
export type Keys<Props> = Props extends unknown ? keyof Props : never;

/** The names of all props, which the compiler keeps complete. */
export type All<Props> = Readonly<Record<Keys<Props>, Known>>;

/** A prop without parts, or the names of its parts (`*` is any); a list's are those of its items. */
export type Known = true | { readonly [name: string]: Known };

/**
 * Looks for props that nothing reads, of which the compiler does not tell in plain JavaScript and in
 * what is spread: a misspelt one is a problem, any other is warned of, because a definition may be
 * shared with others who read it.
 *
 * @returns the problems
 */
export function unknownProps(construct: IConstruct, props: unknown, known: Known): string[] {
  const unknown = findUnknown(props, known, "");
  for (const { misspelt, message } of unknown) {
    if (!misspelt) Annotations.of(construct).addWarning(message);
  }
  return unknown.filter(({ misspelt }) => misspelt).map(({ message }) => message);
}

/** What is wrong with the names of what others may read, too: only a misspelt one is a problem. */
export function misspeltNames(given: unknown, known: Known): string[] {
  return findUnknown(given, known, "")
    .filter(({ misspelt }) => misspelt)
    .map(({ message }) => message);
}

/** What is wrong with the names of options that nobody else reads: each is a problem. */
export function unknownOptions(options: unknown, known: Known): string[] {
  return findUnknown(options, known, "").map(({ message }) => message);
}

interface Unknown {
  readonly message: string;
  /** Whether a known name is all but the same. */
  readonly misspelt: boolean;
}

function findUnknown(given: unknown, known: Known, path: string): Unknown[] {
  if (known === true || typeof given !== "object" || given === null) return [];
  if (Token.isUnresolved(given)) return [];
  if (Array.isArray(given)) {
    return given.flatMap((item, i) => findUnknown(item, known, `${path}[${i}]`));
  }
  return Object.entries(given).flatMap(([name, value]): Unknown[] => {
    const at = path === "" ? name : `${path}.${name}`;
    const parts = Object.hasOwn(known, name) ? known[name] : known["*"];
    if (parts !== undefined) return findUnknown(value, parts, at);
    if (value === undefined) return [];
    const meant = nearName(name, Object.keys(known));
    return [
      meant === undefined
        ? { message: `${at} is unknown, and has no effect: remove it`, misspelt: false }
        : { message: `${at} is unknown: did you mean ${meant}?`, misspelt: true },
    ];
  });
}
