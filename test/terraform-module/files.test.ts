import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { azureRules } from "cloud-eventgrid-binding-runtime/internal";
import fc from "fast-check";
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

/** The patterns in the module, and the rules of the constructs that they repeat. */
const repeated = [
  ["modules/topic", "location", azureRules.location],
  ["modules/pull", "location", azureRules.location],
  ["modules/event-subscription", "included_event_types", azureRules.eventType],
  ["modules/pull", "included_event_types", azureRules.eventType],
] as const;

describe("the patterns of the Terraform module", () => {
  it.each(repeated)("of %s judge %s as the constructs do", (folder, input, rule) => {
    const text = readFileSync(join(module, folder, "variables.tf"), "utf8");
    const [, pattern] =
      new RegExp(`variable "${input}"[^]*?regex[(]"([^"]+)"`).exec(text) ?? expect.fail();
    const expression = new RegExp(pattern ?? "");
    const words = fc.constantFrom("shop", "order", "west", "9", " ", ".", "*", "-", "!", "ë", "/");
    const values = fc.array(words, { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(fc.property(values, (value) => expression.test(value) === rule.test(value)));
  });
});

describeWith("terraform", "the files of the Terraform module", () => {
  it("are formatted", () => {
    execFileSync(requireTerraform(), ["fmt", "-check", "-diff", "-recursive", module]);
  });
});
