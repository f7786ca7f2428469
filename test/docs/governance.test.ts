import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";

const page = readFileSync(join(root, "docs/governance.md"), "utf8");

describe("the dependencies of the runtime", () => {
  it("have the number and the licences that docs/governance.md states", () => {
    const licences = new Map<string, string>();
    const add = (name: string, from: string) => {
      const folder = installed(name, from);
      if (licences.has(folder)) return;
      const { license, dependencies = {} } = manifestOf(folder);
      licences.set(folder, String(license));
      for (const each of Object.keys(dependencies)) add(each, folder);
    };
    const runtime = join(root, "runtime");
    for (const name of Object.keys(manifestOf(runtime).dependencies ?? {})) add(name, runtime);
    const names = [...new Set(licences.values())].sort();
    expect(names).toEqual(["0BSD", "Apache-2.0", "MIT"]);
    expect(page).toContain(`with ${licences.size} packages, all under MIT, Apache 2.0 or 0BSD`);
  });
});

function manifestOf(folder: string): { license?: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

/** The folder from which a package takes another one. */
function installed(name: string, from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}`);
  }
}
