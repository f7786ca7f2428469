import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/project.js";

/** The rows of the table of supported versions: name, and versions tested. */
export function testedVersions(name: string): string[] {
  const page = readFileSync(join(root, "docs/packages.md"), "utf8");
  const row = new RegExp(`^\\| \\[?${name}\\b[^|]*\\|[^|]*\\| ([^|]*) \\|$`, "m").exec(page);
  if (!row) throw new Error(`docs/packages.md has no row for ${name}`);
  return (row[1] ?? "").split(",").map((version) => version.trim());
}
