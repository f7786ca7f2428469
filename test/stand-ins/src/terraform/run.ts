import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface RunOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Called with every line of the standard output. */
  readonly onLine?: (line: string) => void;
  /** Interrupts the program, which can then clean up. */
  readonly signal?: AbortSignal;
  /** Kills the program, which cannot clean up. */
  readonly kill?: AbortSignal;
}

/** The exit status of a program, and its standard output followed by its standard error. */
export interface Ended {
  readonly status: number;
  readonly output: string;
}

/**
 * Runs a program to its end.
 *
 * @throws the reason of the signal, once an interrupted or killed program has ended
 */
export async function run(
  program: string,
  args: readonly string[],
  { directory, environment, onLine, signal, kill }: RunOptions,
): Promise<Ended> {
  signal?.throwIfAborted();
  kill?.throwIfAborted();
  const child = spawn(program, args, {
    cwd: directory,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const interrupt = () => child.kill("SIGINT");
  signal?.addEventListener("abort", interrupt, { once: true });
  const killNow = () => child.kill("SIGKILL");
  kill?.addEventListener("abort", killNow, { once: true });
  const output: string[] = [];
  const errors: string[] = [];
  const out = createInterface({ input: child.stdout });
  out.on("line", (line) => {
    output.push(line);
    onLine?.(line);
  });
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  const [status] = await Promise.all([
    new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? 1));
    }),
    new Promise<void>((resolve) => out.on("close", resolve)),
  ]);
  signal?.removeEventListener("abort", interrupt);
  kill?.removeEventListener("abort", killNow);
  signal?.throwIfAborted();
  kill?.throwIfAborted();
  return { status, output: [...output, ...errors].join("\n") };
}
