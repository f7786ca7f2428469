import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/project.js";

/** The rows of the README's table of supported versions: name, and versions tested. */
export function testedVersions(name: string): string[] {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const row = new RegExp(`^\\| \\[?${name}\\b[^|]*\\|[^|]*\\| ([^|]*) \\|$`, "m").exec(readme);
  if (!row) throw new Error(`the README has no row for ${name} in its table of versions`);
  return (row[1] ?? "").split(",").map((version) => version.trim());
}
