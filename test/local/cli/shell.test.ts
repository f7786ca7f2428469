import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { environmentCommand, environmentLines } from "../../../local/src/cli/shell.js";
import { describeWith } from "../../support/describe-with.js";

const environment = { NAME: "it's", DIRECTORY: "C:\\Users\\Zoë" };

describe("the environment for another shell", () => {
  it.each([
    ["fish", "set -gx NAME 'it\\'s'\nset -gx DIRECTORY 'C:\\\\Users\\\\Zoë'\n"],
    ["powershell", "$env:NAME = 'it''s'\n$env:DIRECTORY = 'C:\\Users\\Zoë'\n"],
    ["cmd", 'set "NAME=it\'s"\nset "DIRECTORY=C:\\Users\\Zoë"\n'],
  ] as const)("is written for %s, which it quotes values for", (shell, lines) => {
    expect(environmentLines(environment, shell)).toBe(lines);
    expect(environmentCommand(shell)).toContain(`env --shell ${shell}`);
  });
});

describeWith("bash", "the environment for a POSIX shell", () => {
  it("has the values that were written", () => {
    const script = `${environmentLines(environment)}printf '%s|%s' "$NAME" "$DIRECTORY"`;
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe(
      `${environment.NAME}|${environment.DIRECTORY}`,
    );
  });
});
