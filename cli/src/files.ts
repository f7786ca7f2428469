import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandError } from "./terminal/index.js";

/** The release of this project, which all of its packages share. */
export function packageVersion(): string {
  const file = join(__dirname, "../package.json");
  const { version }: { version?: unknown } = JSON.parse(readFileSync(file, "utf8"));
  return String(version);
}

/** Writes files into a folder, by their paths in it. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

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
