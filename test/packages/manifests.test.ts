import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/project.js";
import { manifest, publishedFolders } from "./packed.js";

const { version } = manifest(".");
const names = publishedFolders.map((folder) => manifest(folder).name);

describe("the package.json files", () => {
  it.each(publishedFolders)("describe the package in %s, with its source", (folder) => {
    expect(manifest(folder)).toMatchObject({
      description: expect.any(String),
      license: "Apache-2.0",
      repository: { url: expect.stringContaining("github.com") },
      homepage: expect.stringMatching(/^https:/),
      bugs: expect.stringMatching(/^https:/),
      engines: { node: ">=20.19" },
    });
    expect(existsSync(join(root, folder, "README.md"))).toBe(true);
  });

  it.each(publishedFolders)("give the package in %s the version of all packages", (folder) => {
    expect(manifest(folder).version).toBe(version);
  });

  // lib builds on ./internal of the runtime, which may change with every release.
  it.each(publishedFolders)("bind the package in %s to its own release of the others", (folder) => {
    for (const [name, range] of Object.entries(manifest(folder).dependencies ?? {})) {
      if (names.includes(name)) expect(range).toBe(version);
    }
  });
});
