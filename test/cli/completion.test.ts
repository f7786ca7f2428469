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
    expect(await completed("check", "--e")).toEqual(["--env"]);
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
  it("asks the program in PowerShell", async () => {
    const { exitCode, out } = await command(["completion", "powershell"]);
    expect(exitCode).toBe(0);
    expect(out).toContain("cloud-eventgrid complete -- ");
  });

  it("refuses another shell", async () => {
    const { exitCode, error } = await command(["completion", "tcsh"]);
    expect(exitCode).toBe(2);
    expect(error).toContain("Allowed choices are bash, zsh, fish, powershell");
  });
});

/** Runs a script in a shell that has the program on its PATH, and its completion in `./script`. */
async function inShell(shell: "bash" | "zsh" | "fish", args: readonly string[], script: string) {
  const program = '#!/bin/sh\nexec node "$PROGRAM" "$@"\n';
  const { out: completion } = await command(["completion", shell]);
  const directory = directoryWith({ "cloud-eventgrid": program, script: completion });
  chmodSync(join(directory, "cloud-eventgrid"), 0o755);
  const env = {
    ...process.env,
    HOME: directory,
    PROGRAM: join(root, "cli/bin/cloud-eventgrid.js"),
    PATH: `${directory}${delimiter}${process.env.PATH}`,
  };
  return execFileSync(shell, [...args, "-c", script], { cwd: directory, env, encoding: "utf8" });
}

describeWith("bash", "cloud-eventgrid completion in bash", () => {
  it("completes words", async () => {
    const lines = [
      "source ./script",
      "COMP_WORDS=(cloud-eventgrid init --cdk cdk); COMP_CWORD=3; _cloud_eventgrid",
      'echo "${COMPREPLY[@]}"',
    ];
    expect(await inShell("bash", [], lines.join("\n"))).toBe("cdktf cdktn\n");
  });
});

describeWith("zsh", "cloud-eventgrid completion in zsh", () => {
  it("completes words when the tab key is pressed, and files where one is expected", async () => {
    const lines = [
      "zmodload zsh/zpty",
      "zpty -b shell zsh -f -i",
      "zpty -w shell 'source ./script; print READ''Y'",
      "zpty -r shell output '*READY*'",
      "for typed in 'init --host cont' 'dead-letters rep' 'check scr'; do",
      "  zpty -w -n shell \"cloud-eventgrid $typed\"$'\\t'",
      "  zpty -r shell output '*(container-apps|replay|script)*'",
      "  print ${(M)output:#*(container-apps|replay|script)*} | grep -oE 'container-apps|replay|script'",
      "  zpty -w -n shell $'\\C-U'",
      "done",
    ];
    const printed = await inShell("zsh", ["-f"], lines.join("\n"));
    expect(printed).toBe("container-apps\nreplay\nscript\n");
  });
});

describeWith("fish", "cloud-eventgrid completion in fish", () => {
  it("completes words with their descriptions, and files where one is expected", async () => {
    const lines = [
      "source ./script",
      "complete -C 'cloud-eventgrid init --cdk cdk'",
      "complete -C 'cloud-eventgrid do'",
      "complete -C 'cloud-eventgrid check scr'",
    ];
    expect(await inShell("fish", ["--no-config"], lines.join("\n"))).toBe(
      "cdktf\ncdktn\ndoctor\tFind out what prevents events from being delivered\nscript\n",
    );
  });
});
