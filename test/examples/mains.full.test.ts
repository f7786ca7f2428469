import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";

const run = promisify(execFile);

describe("the app of an example", () => {
  const outdir = mkdtempSync(join(tmpdir(), "cloud-eventgrid-example-"));
  afterEach(() => rmSync(outdir, { recursive: true, force: true }));

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
  ])("%s synthesizes as its README says, and has nothing to complain of", async (name, stacks) => {
    const { stderr } = await run(
      process.execPath,
      ["--import", "tsx", join("examples", name, "main.ts")],
      { env: { PATH: process.env.PATH, CDKTF_OUTDIR: outdir } },
    );
    expect(stderr).toBe("");
    expect(readdirSync(join(outdir, "stacks"))).toEqual(stacks);
  });
});
