import { buffer } from "node:stream/consumers";
import { decodeText } from "../base/index.js";
import { run } from "./program.js";

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
    print: (output) => process.stdout.write(output),
    printError: (output) => process.stderr.write(output),
    readInput: async () => decodeText(await buffer(process.stdin)),
    interrupted: interruption.signal,
  });
}
