import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Runs `npm start`'s program until it prints `until`, and sends it a signal then. */
async function interrupted(signal: NodeJS.Signals, until: RegExp) {
  const folder = temporaryFolder();
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "examples/orders/start.ts", "--without-terraform"],
    { cwd: root, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const closed = once(child, "close") as Promise<[number | null]>;
  const told: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => told.push(line));
  for await (const line of createInterface({ input: child.stdout })) {
    if (until.test(line)) child.kill(signal);
  }
  const [code] = await closed;
  return { code, told, left: readdirSync(folder).filter((name) => !/^tsx-/.test(name)) };
}

describe("npm start, interrupted", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "by %s, ends what it started and leaves no files behind",
    async (signal, code) => {
      const ended = await interrupted(signal, /publish .* orders\/18/);
      expect(ended.told).toEqual([
        "",
        `interrupted by ${signal}`,
        "everything that was started is gone again",
      ]);
      expect(ended.code).toBe(code);
      expect(ended.left).toEqual([]);
    },
    60_000,
  );
});
