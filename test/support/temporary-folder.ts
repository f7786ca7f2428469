import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Begins the name of each folder, which `leave-nothing-behind.ts` removes after the test file. */
export const TEMPORARY_FOLDER = "test-";

/** Creates a folder that is removed when the test file is done. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), TEMPORARY_FOLDER));
}
