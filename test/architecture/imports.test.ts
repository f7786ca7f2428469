import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

<<<<<<< HEAD
/** Checks the folders below `project` with the rules of this repository. */
async function check(project: string, folders: readonly string[]): Promise<Report> {
  const config = join(root, ".dependency-cruiser.mjs");
  const args = [cruiser, "--config", config, "--output-type", "json", ...folders];
  const options = { cwd: project, maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    // It exits with the number of violations.
    (error: { stdout: string }) => error,
  );
  return JSON.parse(stdout);
}

describe("the rules for imports", () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(root, "node_modules/.imports-"));
  });
  afterEach(() => rmSync(project, { recursive: true }));

  async function violations(files: Readonly<Record<string, string>>): Promise<string[]> {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const { modules, summary } = await check(project, ["."]);
    expect(modules.length).toBeGreaterThanOrEqual(Object.keys(files).length);
    return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
  }

  it("report a cycle of type imports", async () => {
    const found = await violations({
      "runtime/src/events/a.ts": 'import type { B } from "./b.js";\nexport type A = B | 1;\n',
      "runtime/src/events/b.ts": 'import type { A } from "./a.js";\nexport type B = A | 2;\n',
    });
    expect(found).toEqual(["no-cycles: runtime/src/events/a.ts → runtime/src/events/b.ts"]);
  });

  it("report an import that bypasses a folder's index", async () => {
    const found = await violations({
      "runtime/src/base.ts": "export const base = 1;\n",
      "runtime/src/events/index.ts": 'export { inner } from "./inner.js";\n',
      "runtime/src/events/inner.ts": 'export { base as inner } from "../base.js";\n',
      "runtime/src/binding/scope/a.ts": [
        'export { base } from "../../base.js";',
        'export { inner } from "../../events/index.js";',
        'export { inner as bypassing } from "../../events/inner.js";',
      ].join("\n"),
    });
    expect(found).toEqual([
      "import-folders-by-index: runtime/src/binding/scope/a.ts → runtime/src/events/inner.ts",
=======
describe("who may import whom", () => {
  it("the construct library reaches the runtime's contract and events, and nothing else of ours", () => {
    expect(
      strays("lib", inside("lib"), (target) =>
        /^cloud-eventgrid-binding-runtime\/(binding|events|internal)$/.test(target),
      ),
    ).toEqual([]);
  });

  it("the contract and the events know neither listener nor publisher", () => {
    const shared = [
      inside("runtime/src/binding"),
      inside("runtime/src/events"),
      inside("runtime/src/validation"),
      (target: string) => target === "runtime/src/errors.js",
    ];
    expect(strays("runtime/src/binding", ...shared)).toEqual([]);
    expect(strays("runtime/src/events", ...shared)).toEqual([]);
  });

  it("listener and publisher know the contract and the events, not each other", () => {
    const shared = [
      inside("runtime/src/binding"),
      inside("runtime/src/events"),
      inside("runtime/src/validation"),
      (target: string) => /^runtime\/src\/[\w-]+\.js$/.test(target),
    ];
    expect(strays("runtime/src/listener", inside("runtime/src/listener"), ...shared)).toEqual([]);
    expect(strays("runtime/src/publisher", inside("runtime/src/publisher"), ...shared)).toEqual([]);
  });

  it("the local Azure shares nothing with us, so that it cannot share our mistakes", () => {
    expect(strays("local", inside("local"))).toEqual([]);
  });
});

describe("what may be loaded", () => {
  it("the prebuilt providers are never imported by their index, which costs seconds", () => {
    const index = /^@cdktf\/provider-\w+(\/lib)?(\/index(\.js)?)?$/;
    const folders = ["lib", "examples", "test", "bench"];
    expect(
      folders
        .flatMap((folder) => importsOf(folder))
        .filter(({ target }) => index.test(target))
        .map(show),
    ).toEqual([]);
  });

  it("the provider's resources are imported by file, which native ES modules need too", () => {
    const deep = importsOf("lib").filter(({ target }) => target.startsWith("@cdktf/provider-"));
    expect(deep.filter(({ target }) => !target.endsWith("/index.js")).map(show)).toEqual([]);
    expect(deep.length).toBeGreaterThan(0);
  });

  it("the contract and the events load neither cdktf nor fastify nor an Azure SDK", () => {
    const heavy = /^(cdktf|constructs|@cdktf\/.*|fastify.*|@azure\/.*|jose)$/;
    expect(
      [...importsOf("runtime/src/binding"), ...importsOf("runtime/src/events")]
        .filter(({ target, typeOnly }) => heavy.test(target) && !typeOnly)
        .map(show),
    ).toEqual([]);
  });

  it("the YAML parser is loaded by who reads component documents only", () => {
    expect(
      importsOf("runtime/src")
        .filter(({ target }) => target === "yaml")
        .filter(({ file }) => !file.startsWith("runtime/src/binding/document/"))
        .map(show),
    ).toEqual([]);
  });
});

describe("the reader of imports", () => {
  it("sees every form of import, and none in comments", () => {
    const text = [
      'import a from "a";',
      'import type { B } from "b";',
      'import {\n  c,\n} from "./c.js";',
      'import "d";',
      'export * from "../e.js";',
      'const f = require("f");',
      'const g = await import("g");',
      '// import h from "h";',
      '/* import i from "i"; */',
    ].join("\n");
    expect(importsIn("lib/x/y.ts", text)).toEqual([
      { file: "lib/x/y.ts", target: "a", typeOnly: false },
      { file: "lib/x/y.ts", target: "b", typeOnly: true },
      { file: "lib/x/y.ts", target: "lib/x/c.js", typeOnly: false },
      { file: "lib/x/y.ts", target: "d", typeOnly: false },
      { file: "lib/x/y.ts", target: "lib/e.js", typeOnly: false },
      { file: "lib/x/y.ts", target: "f", typeOnly: false },
      { file: "lib/x/y.ts", target: "g", typeOnly: false },
>>>>>>> 7917764 (State each validation rule once, in a form that Terraform can check)
    ]);
  });

  it("report an area that imports what it may not", async () => {
    const source = "export const value = 1;\n";
    const imports = (path: string) => `export { value } from "${path}";\n`;
    const found = await violations({
      "lib/a.ts": imports("../runtime/src/listener/index.js"),
      "runtime/src/listener/index.ts": source,
      "runtime/src/binding/a.ts": imports("../listener/index.js"),
      "runtime/src/publisher/a.ts": imports("../listener/index.js"),
      "local/src/a.ts": imports("../../runtime/src/listener/index.js"),
    });
    expect(found.map((line) => line.replace(/:.*/, ""))).toEqual([
      "lib-imports-only-what-it-may",
      "local-imports-only-what-it-may",
      "runtime-src-binding-imports-only-what-it-may",
      "runtime-src-publisher-imports-only-what-it-may",
    ]);
  });

  it("hold for every source file of this repository", async () => {
    const folders = ["lib", "runtime/src", "local/src"];
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .map((file) => join(folder, file)),
    );
    const { modules, summary } = await check(root, folders);
    const read = new Set(modules.map(({ source }) => source));
    expect(files.filter((file) => !read.has(file))).toEqual([]);
    expect(summary.violations).toEqual([]);
  });
});
