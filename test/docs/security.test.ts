import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/project.js";

const table = readFileSync(join(root, "docs/contributing/threats.md"), "utf8");
const rows = [...table.matchAll(/^\| (.+) \| \[(.+)\]\(https:.+\/blob\/main\/(test\/.+)\) \|$/gm)];

it("has a row for each threat in the table of docs/contributing/threats.md", () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows).toHaveLength((table.match(/^\| .*\/blob\/main\//gm) ?? []).length);
});

it.each(rows.map(([, threat = "", title = "", file = ""]) => ({ threat, title, file })))(
  "docs/contributing/threats.md names a test that exists: $title",
  ({ title, file }) => {
    expect(readFileSync(join(root, file), "utf8")).toContain(title);
  },
);
