import { parseArgs } from "node:util";

interface Flag {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  /** Abbreviation of one letter. */
  readonly short?: string;
}

/** The flags of a command. */
export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F extends Flag> = F extends { type: "boolean" }
  ? true
  : F extends { multiple: true }
    ? string[]
    : string;

/** A parsed command line. */
export interface CommandLine<F extends Flags> {
  readonly values: { readonly [K in keyof F]?: ValueOf<F[K]> };
  readonly positionals: readonly string[];
}

/** Parses a whole command line and collects every problem. */
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
    if (!flag) refuse(name, `${rawName} is unknown (--help lists the options)`);
    else if (flag.type === "boolean") {
      if (value !== undefined) refuse(name, `${rawName} takes no value`);
    } else if (value === undefined || (!inlineValue && value.startsWith("-"))) {
      // A flag without a value would take the next flag for its value.
      refuse(name, `${rawName} needs a value`);
    }
  }
  // Values of the wrong type have been removed above.
  return { values: values as CommandLine<F>["values"], positionals };
}
