import { describe, expect, it } from "vitest";
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
});
