import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError } from "./terminal/index.js";

/** Reads a file that the user named. @throws {CommandError} when it cannot be read */
export function readText(directory: string, file: string): string {
  try {
    return readFileSync(resolve(directory, file), "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EISDIR" ? "it is a folder" : message;
    throw new CommandError(`cannot read ${file}: ${reason}`);
  }
}
