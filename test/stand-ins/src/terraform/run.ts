import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface RunOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Called with every line of the standard output. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
  /** How it ends: after `SIGKILL`, it cannot clean up. @default "SIGINT" */
  readonly killSignal?: "SIGINT" | "SIGKILL" | undefined;
}

/** The exit status of a program, and its standard output followed by its standard error. */
export interface Ended {
  readonly status: number;
  readonly output: string;
}

/**
 * Runs a program to its end.
 *
 * @throws the reason of the signal, once a program that it ended has ended
 */
export async function run(
  program: string,
  args: readonly string[],
  { directory, environment, onLine, signal, killSignal = "SIGINT" }: RunOptions,
): Promise<Ended> {
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    signal,
    killSignal,
  });
  const [output, errors]: [string[], string[]] = [[], []];
  createInterface({ input: child.stdout }).on("line", (line) => {
    output.push(line);
    onLine?.(line);
  });
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const status = await new Promise<number>((resolve, reject) => {
    // An aborted program ends later.
    child.on("error", (error) => signal?.aborted || reject(error));
    child.on("close", (code) => resolve(code ?? 1));
  });
  signal?.throwIfAborted();
  return { status, output: [...output, ...errors].join("\n") };
}
