import { run } from "./run.js";

/** Runs the command in this process until it ends or is interrupted. */
export async function main(): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interruption.abort());
  }
  // The reader of the output has ended, as in `… | head -1`.
  process.stdout.on("error", () => interruption.abort());
  process.exitCode = await run(process.argv.slice(2), {
    directory: process.cwd(),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    interrupted: interruption.signal,
  });
}
