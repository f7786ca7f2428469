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
  /** Standard input. */
  readonly input?: string;
  /** The answers of a person to questions, in their order. */
  readonly answers?: readonly string[];
  /** Takes each text that the command prints, at once. */
  readonly onOut?: (text: string) => void;
  readonly replacements?: Replacements;
}

/** Runs `cloud-eventgrid` in this process. */
export async function command(
  args: readonly string[],
  {
    env = {},
    directory = process.cwd(),
    columns,
    input,
    answers,
    onOut,
    replacements = {},
  }: CommandOptions = {},
): Promise<Printed> {
  const printed = { out: "", error: "" };
  const left = [...(answers ?? [])];
  const terminal = {
    env,
    directory,
    ...(columns !== undefined && { columns }),
    ...(input !== undefined && { input: async () => input }),
    ...(answers !== undefined && {
      ask: async (question: string) => {
        printed.out += `${question}\n`;
        return left.shift() ?? "";
      },
    }),
    out: (text: string) => {
      printed.out += text;
      onOut?.(text);
    },
    error: (text: string) => {
      printed.error += text;
    },
  };
  const exitCode = await run(args, terminal, replacements);
  return { exitCode, ...printed };
}
