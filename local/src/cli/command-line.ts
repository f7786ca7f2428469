import { parseArgs } from "node:util";

interface Flag {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  /** A letter that stands for it. */
  readonly short?: string;
}

/** The flags of a command. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F extends { type: "boolean" }
  ? true
  : F extends { multiple: true }
    ? string[]
    : string;

/** What a command line says. */
export interface CommandLine<F extends Flags> {
  readonly values: { readonly [K in keyof F]?: ValueOf<F[K]> };
  readonly positionals: readonly string[];
}

/** Reads a command line to its end: what cannot be understood becomes a problem. */
export function readCommandLine<const F extends Flags>(
  argv: readonly string[],
  flags: F,
  problems: string[],
): CommandLine<F> {
  const { tokens, values, positionals } = parseArgs({
    args: [...argv],
    options: flags,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const refuse = (name: string, problem: string) => {
    problems.push(problem);
    delete values[name];
  };
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (!flag) refuse(name, `${rawName} is unknown (--help lists what there is)`);
    else if (flag.type === "boolean") {
      if (value !== undefined) refuse(name, `${rawName} takes no value`);
    } else if (value === undefined || (!inlineValue && value.startsWith("-"))) {
      // Without a value of its own a flag would swallow the next one.
      refuse(name, `${rawName} needs a value`);
    }
  }
  // Whatever does not fit its type has become a problem above.
  return { values: values as CommandLine<F>["values"], positionals };
}
