import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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
    createDirectory(dirname(file));
    try {
      writeFileSync(file, text);
    } catch (cause) {
      throw notWritten(file, cause);
    }
  }
}

/**
 * Creates a folder with its parents. `mkdir` with `recursive` never returns where a parent exists but
 * nothing can be created in it, such as `/proc` or a dangling link.
 *
 * @throws {CommandError} when the system refuses
 */
export function createDirectory(folder: string): void {
  if (isDirectory(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) createDirectory(parent);
  try {
    mkdirSync(folder);
  } catch (cause) {
    // Another process was faster.
    if (!isDirectory(folder)) throw notWritten(folder, cause);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The error for a file or folder that the system refuses to write. */
export function notWritten(path: string, cause: unknown): CommandError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(
    `cannot write ${path}: ${reason}. Choose a folder that you may write to, on a disk with free space`,
  );
}

/**
 * The text of a file or of standard input: UTF-8, or UTF-16 as Windows PowerShell writes it with `>`. The
 * mark at its beginning is left out.
 *
 * @throws {CommandError} for another encoding: what it says must not be changed unnoticed
 */
export function decodeText(bytes: Uint8Array): string {
  const [first = 0xff, second = 0xff] = bytes;
  // JSON, YAML and settings begin with a character of ASCII.
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encoding = isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError("the text is neither UTF-8 nor UTF-16: save it as UTF-8");
  }
}

/** Reads a text file that the user named, see {@link decodeText}. @throws {CommandError} when it cannot be read */
export function readText(directory: string, file: string): string {
  try {
    return decodeText(readFileSync(resolve(directory, file)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === "EISDIR" ? "it is a folder" : message;
    throw new CommandError(`cannot read ${file}: ${reason}`);
  }
}
