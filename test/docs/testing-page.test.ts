import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";
import { root } from "../support/project.js";
import { snippetsIn } from "./snippets.js";

const folder = join(root, ".cache", "testing-page");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const { name, code } of snippetsIn("docs/testing.md")) {
  writeFileSync(join(folder, `${name}.ts`), code);
}

describe.each(["shop", "checkout"])("the test %s in docs/testing.md", async (name) => {
  await import(join(folder, `${name}.test.ts`));
});
