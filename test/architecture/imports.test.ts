import { describe, expect, it } from "vitest";
import { type Import, importsIn, importsOf } from "./imports.js";

const ours = /^cloud-eventgrid-(binding|binding-runtime|local|stand-ins)($|\/)/;
const inside = (folder: string) => (target: string) => target.startsWith(`${folder}/`);
const show = ({ file, target }: Import) => `${file} → ${target}`;

/** Imports of our own code in `folder` that are none of the `allowed`. */
function strays(folder: string, ...allowed: ((target: string) => boolean)[]): string[] {
  const own = /^(lib|runtime|local|test|examples|bench)\//;
  return importsOf(folder)
    .filter(({ target }) => own.test(target) || ours.test(target))
    .filter(({ target }) => !allowed.some((allow) => allow(target)))
    .map(show);
}

describe("who may import whom", () => {
  it("the construct library reaches the runtime's contract and events, and nothing else of ours", () => {
    expect(
      strays("lib", inside("lib"), (target) =>
        /^cloud-eventgrid-binding-runtime\/(binding|events)$/.test(target),
      ),
    ).toEqual([]);
  });

  it("the contract and the events know neither listener nor publisher", () => {
    const shared = [
      inside("runtime/src/binding"),
      inside("runtime/src/events"),
      (target: string) => target === "runtime/src/errors.js",
    ];
    expect(strays("runtime/src/binding", ...shared)).toEqual([]);
    expect(strays("runtime/src/events", ...shared)).toEqual([]);
  });

  it("listener and publisher know the contract and the events, not each other", () => {
    const shared = [
      inside("runtime/src/binding"),
      inside("runtime/src/events"),
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
    ]);
  });
});
