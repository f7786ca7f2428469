import { parseArgs } from "node:util";

/** Which flags a command has: those with a value, and those that are there or not. */
export type Flags = Readonly<Record<string, "string" | "boolean">>;

/** The names of the flags that have a value. */
type Texts<F extends Flags> = { [K in keyof F]: F[K] extends "string" ? K : never }[keyof F];

/** What a command line says. */
export interface CommandLine<F extends Flags> {
  readonly texts: { readonly [K in Texts<F>]?: string };
  readonly switches: ReadonlySet<keyof F>;
  readonly positionals: readonly string[];
}

/** Reads a command line to its end: what cannot be understood becomes a problem, and is left out. */
export function readCommandLine<F extends Flags>(
  args: readonly string[],
  flags: F,
  problems: string[],
): CommandLine<F> {
  const options = Object.fromEntries(Object.entries(flags).map(([name, type]) => [name, { type }]));
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const texts: { [K in Texts<F>]?: string } = {};
  const switches = new Set<keyof F>();
  const hasValue = (name: string): name is Texts<F> & string => flags[name] === "string";
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(flags, name)) {
      const known = Object.keys(flags).map((flag) => `--${flag}`);
      problems.push(`${rawName} is unknown; there are ${known.join(", ")}`);
    } else if (hasValue(name)) {
      // Without a value of its own a flag would swallow the next one.
      const missing = value === undefined || (!token.inlineValue && value.startsWith("-"));
      if (missing) problems.push(`${rawName} needs a value`);
      else texts[name] = value;
    } else if (value === undefined) switches.add(name);
    else problems.push(`${rawName} takes no value`);
  }
  return { texts, switches, positionals };
}
