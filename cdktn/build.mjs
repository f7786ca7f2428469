/**
 * Builds this package from the compiled constructs of `cloud-eventgrid-binding`: copies its `dist`,
 * and writes cdktn instead of cdktf in imports, messages and comments.
 *
 * Run it after `tsc -b lib`. The tests compile the sources of the constructs against cdktn.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const compiled = fileURLToPath(new URL("../dist", import.meta.url));
const output = fileURLToPath(new URL("dist", import.meta.url));

/** The name of cdktf, but not of its files: `cdktf.json` and `cdktf.out` keep their names with cdktn. */
const cdktf = /cdktf(?!\.(?:json|out)\b)/g;

rmSync(output, { recursive: true, force: true });
cpSync(compiled, output, { recursive: true });
rmSync(join(output, ".tsbuildinfo"), { force: true });
for (const name of readdirSync(output, { recursive: true, encoding: "utf8" })) {
  if (!/\.(js|d\.ts)$/.test(name)) continue;
  const file = join(output, name);
  writeFileSync(file, readFileSync(file, "utf8").replace(cdktf, "cdktn"));
}
