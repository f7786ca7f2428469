import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const run = promisify(execFile);

describe("the main.ts of an example", () => {
  it.each([
    [
      "sources",
      [
        "cache",
        "event-streaming",
        "iot-hub",
        "message-queue",
        "object-storage",
        "real-time-messaging",
      ],
    ],
    ["container-apps", ["container-apps"]],
    ["pull-container-app", ["pull-container-app"]],
    ["kubernetes", ["kubernetes"]],
    ["from-component", ["from-component"]],
    ["express", ["express"]],
    ["azure-functions", ["azure-functions"]],
    ["publisher", ["publisher"]],
  ])("synthesizes %s as its README says, without a warning", async (name, stacks) => {
    const outdir = temporaryFolder();
    const readme = readFileSync(join("examples", name, "README.md"), "utf8");
    const [, args = ""] = /npx tsx (.*main\.ts)$/m.exec(readme) ?? [];
    const { stderr } = await run(
      process.execPath,
      ["node_modules/tsx/dist/cli.mjs", ...args.split(" ")],
      { env: { PATH: process.env.PATH, CDKTF_OUTDIR: outdir } },
    );
    expect(stderr).toBe("");
    expect(readdirSync(join(outdir, "stacks"))).toEqual(stacks);
  });
});
