import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
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
    ["kubernetes", ["kubernetes"]],
    ["from-component", ["from-component"]],
    ["existing-fastify-app", ["existing-fastify-app"]],
  ])("synthesizes %s as its README says, without a warning", async (name, stacks) => {
    const outdir = temporaryFolder();
    const { stderr } = await run(
      process.execPath,
      ["--import", "tsx", join("examples", name, "main.ts")],
      { env: { PATH: process.env.PATH, CDKTF_OUTDIR: outdir } },
    );
    expect(stderr).toBe("");
    expect(readdirSync(join(outdir, "stacks"))).toEqual(stacks);
  });
});
