import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { expect } from "vitest";

/** A shell that stays open, like a terminal. */
export class Terminal {
  readonly #shell: ChildProcessWithoutNullStreams;
  output = "";

  constructor(cwd: string, env: NodeJS.ProcessEnv) {
    this.#shell = spawn("sh", { cwd, env, detached: true });
    for (const stream of [this.#shell.stdout, this.#shell.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.output += text;
      });
    }
  }

  /** Starts a command that keeps running. */
  start(command: string): void {
    this.#shell.stdin.write(`${command}\n`);
  }

  /** Runs a command and expects it to succeed. */
  async run(command: string): Promise<void> {
    const before = this.output.length;
    this.#shell.stdin.write(`${command}\necho "<exit code $?>"\n`);
    const output = () => this.output.slice(before);
    await expect.poll(output, { timeout: 240_000 }).toMatch(/<exit code \d+>/);
    expect(output(), command).toContain("<exit code 0>");
  }

  close(): void {
    if (this.#shell.pid !== undefined) process.kill(-this.#shell.pid, "SIGTERM");
  }
}
