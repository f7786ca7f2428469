import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { command } from "./command.js";
import { directoryWith } from "./temporary.js";

/** The words that complete a command line, whose last word may be empty. */
async function completed(...words: readonly string[]): Promise<string[]> {
  const { out } = await command(["complete", "--", ...words]);
  return out.split("\n").flatMap((line) => line.split("\t")[0] || []);
}

describe("the completion of a command line", () => {
  it("has the commands and their subcommands", async () => {
    expect(await completed("d")).toEqual(["dead-letters", "doctor"]);
    expect(await completed("dead-letters", "")).toEqual(["list", "show", "replay", "help"]);
  });

  it("has the options of the command", async () => {
    expect(await completed("check", "--e")).toEqual(["--env", "--env-file"]);
    expect(await completed("--v")).toEqual(["--version"]);
  });

  it("has the choices of an option and of an argument", async () => {
    expect(await completed("init", "orders", "--host", "c")).toEqual(["container-apps"]);
    expect(await completed("completion", "")).toEqual(["bash", "zsh", "fish", "powershell"]);
  });

  it("leaves files and free texts to the shell", async () => {
    expect(await completed("check", "")).toEqual([]);
    expect(await completed("check", "--env", "")).toEqual([]);
  });

  it("takes two quotes for an empty word, which PowerShell cannot pass", async () => {
    expect(await completed("completion", '""')).toContain("powershell");
  });
});

describe("cloud-eventgrid completion", () => {
  it.each(["zsh", "fish", "powershell"])("asks the program in %s", async (shell) => {
    const { exitCode, out } = await command(["completion", shell]);
    expect(exitCode).toBe(0);
    expect(out).toContain("cloud-eventgrid complete -- ");
  });

  it("refuses another shell", async () => {
    const { exitCode, error } = await command(["completion", "tcsh"]);
    expect(exitCode).toBe(2);
    expect(error).toContain("Allowed choices are bash, zsh, fish, powershell");
  });
});

describeWith("bash", "cloud-eventgrid completion in bash", () => {
  it("completes words", async () => {
    const { out: script } = await command(["completion", "bash"]);
    const program = '#!/bin/sh\nexec node "$PROGRAM" "$@"\n';
    const directory = directoryWith({ "cloud-eventgrid": program, script });
    chmodSync(join(directory, "cloud-eventgrid"), 0o755);
    const lines = [
      `source "${join(directory, "script")}"`,
      "COMP_WORDS=(cloud-eventgrid init --cdk cdk); COMP_CWORD=3; _cloud_eventgrid",
      'echo "${COMPREPLY[@]}"',
    ];
    const env = {
      ...process.env,
      PROGRAM: join(root, "cli/bin/cloud-eventgrid.js"),
      PATH: `${directory}${delimiter}${process.env.PATH}`,
    };
    const printed = execFileSync("bash", ["-c", lines.join("\n")], { env, encoding: "utf8" });
    expect(printed).toBe("cdktf cdktn\n");
  });
});
