import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The folder of `test` that mirrors a folder of sources: `runtime/src/listener` → `test/runtime/listener`.
 * A command is tested together with the folder of its name.
 */
function mirrorOf(folder: string): string {
  return join("test", folder.replace(/^(?:(cli)\/src\/commands|(\w+)\/src)(?=\/|$)/, "$1$2"));
}

/**
 * Returns the tests that stand nearest to a source file, as paths for Vitest.
 *
 * They are the test files and the folder with the source's name: `limits.test.ts`,
 * `limits.bodies.test.ts` and `limits/`. Without them, they are the test files beside, in the
 * mirrored folder, and without those the ones of the first folder above that has any.
 *
 * @param source - from the repository's root, with slashes; a test is nearest to itself
 */
export function testsNearest(source: string): string[] {
  if (source.startsWith("test/")) return [source];
  const name = basename(source).replace(/\.\w+$/, "");
  const folder = mirrorOf(dirname(source));
  // The index of a folder has the topic of the folder.
  const named = name === "index" ? [] : entriesOf(folder).filter((entry) => bears(entry, name));
  return named.length > 0 ? named.map((entry) => join(folder, entry)) : testFilesAt(folder);
}

function bears(entry: string, name: string): boolean {
  return entry === name || (entry.startsWith(`${name}.`) && isTest(entry));
}

function testFilesAt(folder: string): string[] {
  const files = entriesOf(folder).filter(isTest);
  if (files.length > 0) return files.map((file) => join(folder, file));
  return folder === "test" ? [] : testFilesAt(dirname(folder));
}

const isTest = (entry: string) => entry.endsWith(".test.ts") && !entry.endsWith(".full.test.ts");

function entriesOf(folder: string): string[] {
  const path = join(root, folder);
  return existsSync(path) ? readdirSync(path).sort() : [];
}
