import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";

/** The packages that an entry point's declarations import, in any of its files. */
function importedPackages(file: string, visited = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (visited.has(file)) return packages;
  visited.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, specifier = ""] of text.matchAll(/(?:from|import|module) ?\(?["']([^"']+)["']/g)) {
    if (!specifier.startsWith(".")) packages.add(specifier);
    else {
      const imported = join(dirname(file), specifier.replace(/\.js$/, ".d.ts"));
      for (const name of importedPackages(imported, visited)) packages.add(name);
    }
  }
  return packages;
}

describe("the declarations of the runtime", () => {
  it.each(["index", "listener/index"])("need none of Fastify's types in %s.d.ts", (entry) => {
    const packages = importedPackages(join(root, `runtime/dist/${entry}.d.ts`));

    expect(packages).toContain("@standard-schema/spec");
    expect(packages).not.toContain("fastify");
  });

  it("add the decorator to Fastify's types in fastify/index.d.ts", () => {
    expect(importedPackages(join(root, "runtime/dist/fastify/index.d.ts"))).toContain("fastify");
  });
});
