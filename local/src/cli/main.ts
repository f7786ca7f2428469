import { run } from "./run.js";

/** Runs the command in this process, until it is done or interrupted. */
export async function main(): Promise<void> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => interruption.abort());
  }
  // Whoever read the output is gone, as in `… | head -1`: nothing is left to run for.
  process.stdout.on("error", () => interruption.abort());
  process.exitCode = await run(process.argv.slice(2), {
    directory: process.cwd(),
    print: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
    interrupted: interruption.signal,
  });
}
