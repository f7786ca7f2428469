import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../support/project.js";

const rules = join(root, "cli/src/rules");
const textOf = (path: string) => readFileSync(join(root, "cli/src", path), "utf8");

/** The keys of a table in a file: `part rule code` of doctor, `rule` or `rule code` of explain-plan. */
function keysOf(path: string, table: string): string[] {
  const [, rows = ""] =
    new RegExp(`const ${table}\\b[^]*?= \\{([^]*?)\\n\\};`).exec(textOf(path)) ?? [];
  return [...rows.matchAll(/^ {2}"?([\w -]+)"?:/gm)].map(([, key = ""]) => key);
}

const words = keysOf("doctor/words.ts", "WORDS");
const consequences = keysOf("plan/effects/judgements.ts", "CONSEQUENCES");

/** What the rules of a file can find wrong, and what the rules are called. */
function saidBy(file: string): { readonly codes: string[]; readonly names: string[] } {
  const text = readFileSync(join(rules, file), "utf8");
  const matches = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
  return {
    codes: matches(/(?:[.](?:failed|warning)[(]|[.]of[(][^)"]+[)]?, |\bcode: )"([\w-]+)"/g),
    names: matches(/(?:ruling[(][\w"-]+, |\brule[(])"([\w-]+)"/g),
  };
}

/** Rules that explain-plan leaves to a finding about the resource, and one that only doctor asks. */
const NOT_EXPLAINED = ["exists", "audience"];

describe.each(
  readdirSync(rules).filter(
    (file) => file.endsWith(".ts") && textOf(`rules/${file}`).includes("ruling("),
  ),
)("the rules in %s", (file) => {
  const { codes, names } = saidBy(file);
  // Doctor asks what else is about destinations and publishers in checks of its own.
  const isOfDoctor = /^(application|source)[.]ts$/.test(file);

  it("have words for doctor or explain-plan for each code", () => {
    const worded = isOfDoctor ? words : [...words, ...consequences];
    expect(codes.filter((code) => !worded.some((key) => key.endsWith(` ${code}`)))).toEqual([]);
  });

  it("have a consequence in explain-plan", () => {
    const known = consequences.map((key) => key.replace(/^publishers /, "").split(" ")[0]);
    expect(names.filter((name) => ![...known, ...NOT_EXPLAINED].includes(name))).toEqual([]);
  });
});

it("finds the words of both commands, and codes in the rules", () => {
  expect(words).toContain("application app-role-assignment not-assigned");
  expect(consequences).toContain("status receive-disabled");
  expect(saidBy("application.ts").codes).toEqual(
    expect.arrayContaining(["missing", "disabled", "not-assigned", "version-1"]),
  );
});
