import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { run } from "./program.js";
import { CommandError, usesColour } from "./terminal/index.js";

/** Exit code of a program that Ctrl-C ended, as shells report it. */
const INTERRUPTED = 130;

/** Runs the command with this process's arguments, environment and streams. */
export function main(): void {
  const { env, stdin, stdout, stderr } = process;
  let interrupt: (() => void) | undefined;
  // The reader of the output has ended, as in `… | head -1`, or the terminal is closed.
  stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (interrupt === undefined) process.exit(code === "EPIPE" ? 0 : 1);
    interrupt();
  });
  const terminal = {
    env,
    directory: process.cwd(),
    input: () => text(stdin),
    ...(stdin.isTTY && stdout.isTTY && { ask }),
    interruption: () => {
      const controller = new AbortController();
      interrupt = () => controller.abort();
      stderr.on("error", interrupt);
      for (const signal of SIGNALS) {
        process.on(signal, () => {
          if (controller.signal.aborted) process.exit(INTERRUPTED);
          controller.abort();
        });
      }
      return controller.signal;
    },
    ...(stdout.isTTY && { columns: stdout.columns }),
    usesColour: usesColour(env, stdout),
    ...(stderr.isTTY && { status: (text: string) => void stderr.write(text) }),
    out: (text: string) => void stdout.write(text),
    error: (text: string) => void stderr.write(text),
  };
  run(process.argv.slice(2), terminal).then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}

/** Ctrl-C, the end of a container or a service, and a closed terminal. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** @throws {CommandError} when the person presses Ctrl-C */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const interrupted = new Promise<never>((_, reject) => {
    lines.once("SIGINT", () => reject(new CommandError("interrupted", INTERRUPTED)));
  });
  try {
    return await Promise.race([lines.question(question), interrupted]);
  } finally {
    lines.close();
  }
}
