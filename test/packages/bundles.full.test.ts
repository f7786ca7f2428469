import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import * as forBundlers from "../../runtime/src/bundled.mjs";
import * as forNode from "../../runtime/src/index.js";
import { root } from "../support/project.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const RUNTIME = "cloud-eventgrid-binding-runtime";

/** A module, bundled and split: its file, and those loaded with it. */
async function bundle(source: string) {
  const folder = temporaryFolder();
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: folder },
    nodePaths: [join(root, "node_modules")],
    bundle: true,
    minify: true,
    splitting: true,
    platform: "node",
    format: "esm",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    metafile: true,
    absWorkingDir: folder,
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  const loaded = new Set(["stdin.mjs"]);
  for (const file of loaded) {
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && path in metafile.outputs) loaded.add(path);
    }
  }
  const outputs = [...loaded].flatMap((file) => metafile.outputs[file] ?? []);
  return {
    file: join(folder, "stdin.mjs"),
    bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    inputs: outputs.flatMap(({ inputs }) => Object.keys(inputs)),
    allInputs: Object.keys(metafile.inputs),
  };
}

describe("the main entry point for bundlers", () => {
  it("has the exports of the one for Node, and the same objects", () => {
    expect(Object.keys(forBundlers).sort()).toEqual(Object.keys(forNode).sort());
    for (const [name, value] of Object.entries(forNode)) {
      expect(Reflect.get(forBundlers, name), name).toBe(value);
    }
  });

  it("leaves the HTTP client and the publisher out of a webhook until a proxy needs them", async () => {
    const { bytes, inputs, allInputs } = await bundle(
      `export { bindingFromEnvironment, createWebhook, defineEvents } from "${RUNTIME}";`,
    );
    expect(bytes).toBeLessThan(200_000);
    expect(inputs.filter((path) => /undici|publisher|receiver/.test(path))).toEqual([]);
    expect(allInputs.some((path) => path.includes("undici"))).toBe(true);
  });

  it("has each class once in a bundle, however its modules load the package", async () => {
    const other = join(temporaryFolder(), "other.cjs");
    writeFileSync(other, `module.exports = require("${RUNTIME}");`);
    const { file } = await bundle(`
      import { ConfigurationError, createWebhook } from "${RUNTIME}";
      import { redisDeduplication } from "${RUNTIME}/redis";
      import * as required from ${JSON.stringify(other)};
      export { ConfigurationError, createWebhook, redisDeduplication, required };
    `);
    const bundled = await import(pathToFileURL(file).href);
    const { ConfigurationError, createWebhook, redisDeduplication, required } = bundled;
    expect(required.ConfigurationError).toBe(ConfigurationError);
    expect(() => createWebhook({}, { on: {} })).toThrow(required.ConfigurationError);
    expect(() => redisDeduplication({})).toThrow(ConfigurationError);
  });
});
