import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { root } from "../support/project.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the first file that needs the packed packages writes them. */
    readonly packedPackages: string;
  }
}

/**
 * Vitest calls this before all files. Returns what it calls after them. `PACKED_PACKAGES` names another
 * folder, which stays: a release publishes the packages that were tested.
 */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "cloud-eventgrid-packages-"));
  provide("packedPackages", process.env.PACKED_PACKAGES ?? join(folder, "packed"));
  return () => rmSync(folder, { recursive: true, force: true });
}

let packed: Promise<string> | undefined;

/** The folder with the packages that `npm run pack` writes, once for all test files. */
export function packedPackages(): Promise<string> {
  packed ??= packInto(inject("packedPackages"));
  return packed;
}

async function packInto(folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  const own = mkdtempSync(join(dirname(folder), "packing-"));
  await promisify(execFile)(process.execPath, ["tools/release/pack.mjs", own], { cwd: root });
  // Another file may have been faster.
  if (!existsSync(folder)) renameSync(own, folder);
  return folder;
}
