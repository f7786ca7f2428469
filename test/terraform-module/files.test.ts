import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { requireTerraform } from "../stand-ins/src/index.js";
import { describeWith } from "../support/describe-with.js";
import { root } from "../support/project.js";
import { tablesOf } from "./declarations.js";

const module = join(root, "terraform");
const folders = [
  module,
  ...readdirSync(join(module, "modules")).map((name) => join(module, "modules", name)),
];

describe("the files of the Terraform module", () => {
  it.each(folders)("have their inputs and outputs in the README: %s", (folder) => {
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain(tablesOf(folder));
  });

  it.each(folders)(
    "configure no provider, so that callers may use count and aliases: %s",
    (folder) => {
      const files = readdirSync(folder).filter((file) => file.endsWith(".tf"));
      const text = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
      expect(text).not.toMatch(/^provider "/m);
      expect(text).toMatch(/required_version = ">= 1.5"/);
    },
  );
});

describeWith("terraform", "the files of the Terraform module", () => {
  it("are formatted", () => {
    execFileSync(requireTerraform(), ["fmt", "-check", "-diff", "-recursive", module]);
  });
});
