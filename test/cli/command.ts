import { type Replacements, run } from "../../cli/src/program.js";

/** What a command printed, and its exit code. */
export interface Printed {
  readonly exitCode: number;
  readonly out: string;
  readonly error: string;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly directory?: string;
  readonly columns?: number;
  readonly replacements?: Replacements;
}

/** Runs `cloud-eventgrid` in this process. */
export async function command(
  args: readonly string[],
  { env = {}, directory = process.cwd(), columns, replacements = {} }: CommandOptions = {},
): Promise<Printed> {
  const printed = { out: "", error: "" };
  const terminal = {
    env,
    directory,
    ...(columns !== undefined && { columns }),
    out: (text: string) => {
      printed.out += text;
    },
    error: (text: string) => {
      printed.error += text;
    },
  };
  const exitCode = await run(args, terminal, replacements);
  return { exitCode, ...printed };
}
