import { buffer } from "node:stream/consumers";
import { decodeText } from "./files.js";
import { run } from "./program.js";
import { ask, ExitCode, INTERRUPTED, usesColour } from "./terminal/index.js";

/** Runs the command with this process's arguments, environment and streams. */
export function main(): void {
  const { env, stdin, stdout, stderr } = process;
  let interrupt: (() => void) | undefined;
  let isLost = false;
  // After `… | head -1` the command goes on: its changes and its exit code do not depend on readers.
  stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE" && !isLost) stderr.write(`error: cannot write the output: ${message}\n`);
    if (code !== "EPIPE") isLost = true;
    interrupt?.();
  });
  stderr.on("error", () => interrupt?.());
  const terminal = {
    env,
    directory: process.cwd(),
    input: async () => decodeText(await buffer(stdin)),
    // Standard output may be read by a program.
    ...(stdin.isTTY && stderr.isTTY && { ask: (question: string) => ask(question, stdin, stderr) }),
    interruption: () => {
      const controller = new AbortController();
      interrupt = () => controller.abort();
      for (const signal of SIGNALS) {
        process.on(signal, () => {
          if (controller.signal.aborted) process.exit(INTERRUPTED);
          controller.abort();
        });
      }
      return controller.signal;
    },
    ...(stdout.isTTY && { columns: stdout.columns }),
    usesColour: usesColour(stdout),
    ...(stderr.isTTY && { status: (text: string) => void stderr.write(text) }),
    out: (text: string) => void stdout.write(text),
    error: (text: string) => void stderr.write(text),
  };
  run(process.argv.slice(2), terminal).then(
    (exitCode) => {
      process.exitCode = exitCode;
      // The last write may fail after the command has ended.
      process.once("beforeExit", () => {
        if (isLost) process.exitCode = ExitCode.failed;
      });
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}

/** Ctrl-C, the end of a container or a service, and a closed terminal. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
