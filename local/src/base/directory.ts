import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { LocalCloudError } from "./errors.js";

/**
 * Creates a directory with its parents, and then the files in it.
 *
 * @throws LocalCloudError `ERR_DIRECTORY` if the directory cannot be created or written to
 */
export function inDirectory<T>(directory: string, write: () => T): T {
  try {
    createDirectory(directory);
    return write();
  } catch (cause) {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new LocalCloudError(
      "ERR_DIRECTORY",
      `The directory ${directory} cannot be used: ${cause.message}. Choose one that this user may write to, on a disk with free space.`,
      { cause },
    );
  }
}

/**
 * Creates a directory with its parents. `mkdir` with `recursive` never returns where a parent exists
 * but nothing can be created in it, such as `/proc` or a dangling link.
 *
 * @see https://github.com/nodejs/node/issues/27198 the same on Windows
 * @throws the system's error
 */
export function createDirectory(directory: string): void {
  if (isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) createDirectory(parent);
  try {
    mkdirSync(directory);
  } catch (error) {
    // Another process was faster.
    if (!isDirectory(directory)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
