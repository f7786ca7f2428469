import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../support/project.js";
import { emptyDirectory, runCommand } from "../support/command.js";

it("warns of packages of another release in the project", async () => {
  const directory = emptyDirectory();
  const names = ["cli", ".", "cdktn", "runtime"].map((folder) => {
    const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const installed = join(directory, "node_modules", name);
    mkdirSync(installed, { recursive: true });
    writeFileSync(join(installed, "package.json"), '{ "version": "9.9.9" }');
    return String(name);
  });
  const asked = runCommand(["--version"], directory);
  expect(await asked.exitCode).toBe(0);
  const version = asked.out().trim();
  expect(asked.err().split("\n").sort()).toEqual(
    [
      "",
      ...names.map(
        (name) =>
          `warning: this is cloud-eventgrid-local ${version}, but the project has ${name} 9.9.9: npm install ${name}@${version}`,
      ),
    ].sort(),
  );
});
