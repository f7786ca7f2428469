import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { command } from "./command.js";

describe("cloud-eventgrid", () => {
  it("lists its commands with --help", async () => {
    const { exitCode, out } = await command(["--help"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("Usage: cloud-eventgrid [options] [command]");
    expect(out).toContain("probe");
  });

  it("lists the exit codes of probe in its help", async () => {
    expect((await command(["probe", "--help"])).out).toContain("Exit codes:");
  });

  it("prints its version", async () => {
    expect((await command(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("suggests the command that a misspelt one is probably meant for", async () => {
    const { exitCode, error } = await command(["prob"]);
    expect(exitCode).toBe(2);
    expect(error).toContain("(Did you mean probe?)");
  });

  it("exits with 2 and prints its help without a command", async () => {
    const { exitCode, error } = await command([]);
    expect(exitCode).toBe(2);
    expect(error).toContain("Usage: cloud-eventgrid");
  });

  it("prints no control characters of its input", async () => {
    const { error } = await command(["check", "orders\u001b[2J\u202e.yaml"]);
    expect(error).toContain("orders\\u001b[2J\\u202e.yaml");
    expect(error).not.toContain("\u001b");
  });

  it("ends quietly when the reader of its output has ended", async () => {
    const child = spawn(process.execPath, [join(root, "cli/bin/cloud-eventgrid.js"), "--help"]);
    child.stdout.destroy();
    let errors = "";
    child.stderr.on("data", (text) => {
      errors += text;
    });
    const [exitCode] = await once(child, "close");
    expect([exitCode, errors]).toEqual([0, ""]);
  });
});
