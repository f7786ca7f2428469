import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll } from "vitest";
import { TEMPORARY_FOLDER } from "./temporary-folder.js";

/** Caches that Node and tsx keep in the temporary directory for the next run. */
const CACHES = /^(node-compile-cache|tsx-\d+)$/;

const PREFIX = "cloud-eventgrid-test-";

// Each test file gets its own temporary directory, and fails if it leaves files in it. A file whose
// tests are all skipped does not call `afterAll`, and leaves its directory to the worker's next file.
let usual = tmpdir();
while (basename(usual).startsWith(PREFIX)) usual = dirname(usual);
const folder = mkdtempSync(join(usual, PREFIX));
process.env.TMPDIR = folder;

afterAll(() => {
  process.env.TMPDIR = usual;
  const left = readdirSync(folder).filter(
    (name) => !CACHES.test(name) && !name.startsWith(TEMPORARY_FOLDER),
  );
  rmSync(folder, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`left in the temporary directory: ${left.join(", ")}`);
});
