import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/**
 * Runs the program of `npm start` and sends it a signal when it prints `until`.
 *
 * @param before called just before that, with the lines so far
 */
async function interrupted(
  signal: NodeJS.Signals,
  until: RegExp,
  flags: readonly string[] = [],
  before: (output: string) => Promise<void> = async () => {},
) {
  const folder = temporaryFolder();
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "examples/orders/start.ts", "--without-terraform", ...flags],
    { cwd: root, env: { ...process.env, TMPDIR: folder }, stdio: ["ignore", "pipe", "pipe"] },
  );
  const closed = once(child, "close") as Promise<[number | null]>;
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line));
  let output = "";
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`;
    if (!until.test(line)) continue;
    await before(output);
    child.kill(signal);
  }
  const [code] = await closed;
  return { code, errors, left: readdirSync(folder).filter((name) => !/^tsx-/.test(name)) };
}

it("npm start reports Ctrl-C at once, stops what it started and leaves no files", async () => {
  const ended = await interrupted("SIGINT", /publish .* orders\/18/);
  expect(ended.errors).toEqual([
    "",
    "interrupted by SIGINT: stopping the service, the deployment and the local Azure",
    "stopped: no process and no file of this run is left",
  ]);
  expect(ended.code).toBe(130);
  expect(ended.left).toEqual([]);
});

describe("npm start -- --keep", () => {
  it("leaves the dashboard and the service running until Ctrl-C, and then removes everything", async () => {
    const statuses: number[] = [];
    const ended = await interrupted("SIGINT", /fault deliveries/, ["--keep"], async (output) => {
      const dashboard = /dashboard +(http\S+)/.exec(output)?.[1] ?? "";
      const parcel = /curl (http\S+)\/parcels/.exec(output)?.[1] ?? "";
      for (const url of [dashboard, `${parcel}/parcels/17`])
        statuses.push((await fetch(url)).status);
    });
    expect(statuses).toEqual([200, 200]);
    expect(ended.code).toBe(0);
    expect(ended.left).toEqual([]);
  });
});
