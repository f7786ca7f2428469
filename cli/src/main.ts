import { buffer } from "node:stream/consumers";
import { decodeText } from "./files.js";
import { run } from "./program.js";
import { ask, INTERRUPTED, usesColour } from "./terminal/index.js";

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
    input: async () => decodeText(await buffer(stdin)),
    // Standard output may be read by a program.
    ...(stdin.isTTY && stderr.isTTY && { ask: (question: string) => ask(question, stdin, stderr) }),
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
