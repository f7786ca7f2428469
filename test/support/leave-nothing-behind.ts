import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { TEMPORARY_FOLDER } from "./temporary-folder.js";

/** Caches that Node and tsx keep in the temporary directory for the next run. */
const CACHES = /^(node-compile-cache|tsx-\d+)$/;

// Each test file gets its own temporary directory, and fails if it leaves files in it.
const usual = process.env.TMPDIR;
const folder = mkdtempSync(join(tmpdir(), "cloud-eventgrid-test-"));
process.env.TMPDIR = folder;

afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  const left = readdirSync(folder).filter(
    (name) => !CACHES.test(name) && !name.startsWith(TEMPORARY_FOLDER),
  );
  rmSync(folder, { recursive: true, force: true });
  if (left.length > 0) throw new Error(`left in the temporary directory: ${left.join(", ")}`);
});
