import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../support/project.js";

const cruiser = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");

interface Report {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

/** Checks a project with the rules of this repository, as `npm run lint` checks its sources. */
async function check(project: string): Promise<Report> {
  const config = join(root, ".dependency-cruiser.mjs");
  const args = [cruiser, "--config", config, "--output-type", "json", "."];
  const options = { cwd: project, maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    // It exits with the number of violations.
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout);
}

const source = "export const value = 1;\n";
const imports = (path: string) => `export { value } from "${path}";\n`;

/** One project, since each check takes seconds. */
const files: Readonly<Record<string, string>> = {
  "runtime/src/events/a.ts": 'import type { B } from "./b.js";\nexport type A = B | 1;\n',
  "runtime/src/events/b.ts": 'import type { A } from "./a.js";\nexport type B = A | 2;\n',

  "runtime/src/base.ts": source,
  "runtime/src/events/index.ts": imports("./inner.js"),
  "runtime/src/events/inner.ts": imports("../base.js"),
  "runtime/src/binding/scope/a.ts": [
    'export { value } from "../../base.js";',
    'export { value as inner } from "../../events/index.js";',
    'export { value as bypassing } from "../../events/inner.js";',
  ].join("\n"),

  "lib/a.ts": imports("../runtime/src/listener/index.js"),
  "lib/roles/a.ts": imports("../topic/index.js"),
  "lib/topic/index.ts": source,
  "lib/topic/a.ts": imports("../roles/index.js"),
  "lib/roles/index.ts": source,
  "runtime/src/listener/index.ts": source,
  "runtime/src/binding/a.ts": imports("../listener/index.js"),
  "runtime/src/publisher/a.ts": imports("../listener/index.js"),
  "local/src/a.ts": imports("../../runtime/src/listener/index.js"),
};

describe("the rules for imports", () => {
  let project: string;
  let found: string[];
  beforeAll(async () => {
    project = mkdtempSync(join(root, "node_modules/.imports-"));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const { modules, summary } = await check(project);
    expect(modules.length).toBeGreaterThanOrEqual(Object.keys(files).length);
    found = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
  });
  afterAll(() => rmSync(project, { recursive: true }));

  it("report a cycle of type imports", () => {
    expect(found.filter((line) => line.startsWith("no-cycles"))).toEqual([
      "no-cycles: runtime/src/events/a.ts → runtime/src/events/b.ts",
    ]);
  });

  it("report an import that bypasses a folder's index", () => {
    expect(found.filter((line) => line.startsWith("import-folders-by-index"))).toEqual([
      "import-folders-by-index: runtime/src/binding/scope/a.ts → runtime/src/events/inner.ts",
    ]);
  });

  it("report an area that imports what it may not", () => {
    const others = found.filter((line) => !/^(no-cycles|import-folders)/.test(line));
    expect(others.map((line) => line.replace(/:.*/, ""))).toEqual([
      "lib-folders-in-order",
      "lib-imports-only-what-it-may",
      "local-imports-only-what-it-may",
      "runtime-src-binding-imports-only-what-it-may",
      "runtime-src-folders-in-order",
      "runtime-src-publisher-imports-only-what-it-may",
    ]);
  });
});
