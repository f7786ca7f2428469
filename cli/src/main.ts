import { createInterface } from "node:readline/promises";
import { run } from "./program.js";

/** Runs the command with this process's arguments, environment and streams. */
export function main(): void {
  const { env, stdin, stdout, stderr } = process;
  const terminal = {
    env,
    directory: process.cwd(),
    ...(stdin.isTTY && stdout.isTTY && { ask }),
    ...(stdout.isTTY && { columns: stdout.columns }),
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

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}
