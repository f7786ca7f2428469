import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifest } from "../packages/packed.js";
import { root } from "../support/project.js";

const compiled = join(root, "dist");
const built = join(root, "cdktn/dist");
const files = readdirSync(compiled, { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(js|d\.ts|map)$/.test(file),
);

/** The packages that a module imports. */
function imported(text: string): string[] {
  const specifiers = text.matchAll(/(?:from |require\(|import\()"((?:@[^/"]+\/)?[^./"@][^/"]*)/g);
  return [...specifiers].map(([, name = ""]) => name);
}

describe("the build of cloud-eventgrid-binding-cdktn", () => {
  it("has the same files as that of cloud-eventgrid-binding, apart from the names", () => {
    const text = (folder: string, file: string) =>
      readFileSync(join(folder, file), "utf8").replaceAll("cdktn", "cdktf");
    expect(files).toContain("binding/binding.js");
    expect(files.filter((file) => text(built, file) !== text(compiled, file))).toEqual([]);
  });

  it("imports only the packages that its package.json requires", () => {
    const packages = files.flatMap((file) => imported(readFileSync(join(built, file), "utf8")));
    const { dependencies, peerDependencies } = manifest("cdktn");
    const required = Object.keys({ ...dependencies, ...peerDependencies });
    const builtIn = ["node:crypto"];
    expect([...new Set(packages)].filter((name) => !builtIn.includes(name)).sort()).toEqual(
      required.sort(),
    );
  });
});

it("the packages for cdktf and cdktn require the same besides cdktf and cdktn", () => {
  const { dependencies, engines, version } = manifest(".");
  expect(manifest("cdktn")).toMatchObject({ dependencies, engines, version });
});
