import {
  closeSync,
  copyFileSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { crc32 } from "node:zlib";
import { SECOND_MS } from "../base/index.js";

/** Power failures may lose this much; an ended process loses nothing that was written. */
const SYNC_INTERVAL_MS = SECOND_MS;

/**
 * A file of records, each a line with a checksum. Records are only appended. When the file is opened,
 * a line that was cut off by a crash is removed, and damaged lines are skipped.
 */
export class RecordLog {
  #descriptor: number;
  #buffer: string[] = [];
  #syncTimer: NodeJS.Timeout | undefined;
  /** Size of the file in bytes. */
  size: number;

  private constructor(
    private readonly file: string,
    descriptor: number,
    size: number,
  ) {
    this.#descriptor = descriptor;
    this.size = size;
  }

  /** Opens the file, or creates it, and reads its records. Keeps a copy of a damaged file. */
  static open(file: string): { log: RecordLog; records: object[] } {
    const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const { records, damaged, size } = readRecords(content);
    const copy = damaged > 0 ? keepCopy(file) : "";
    const descriptor = openSync(file, "a", 0o600);
    if (size < content.byteLength) ftruncateSync(descriptor, size);
    const log = new RecordLog(file, descriptor, size);
    if (damaged > 0) {
      log.replace(records);
      process.emitWarning(
        `Damaged records in ${file}: ${damaged}. Their events may be lost or delivered again. ${copy} is a copy of the damaged file.`,
      );
    }
    return { log, records };
  }

  /** Adds a record, which `flush` writes. */
  append(record: object): void {
    this.#buffer.push(lineOf(record));
  }

  /**
   * Writes the added records. They survive the end of the process from now on.
   *
   * @throws the system's error, for example if the disk is full. The next call tries again.
   */
  flush(): void {
    if (this.#buffer.length === 0) return;
    const bytes = Buffer.from(this.#buffer.join(""));
    try {
      writeFully(this.#descriptor, bytes);
    } catch (error) {
      // The beginning of a record would damage the next one.
      ftruncateSync(this.#descriptor, this.size);
      throw error;
    }
    this.#buffer = [];
    this.size += bytes.byteLength;
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined;
      fdatasync(this.#descriptor, () => {});
    }, SYNC_INTERVAL_MS).unref();
  }

  /** Replaces all records. A crash leaves either the old file or the new one. */
  replace(records: Iterable<object>): void {
    this.flush();
    const bytes = Buffer.from([...records].map(lineOf).join(""));
    replaceFile(this.file, bytes);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.file, "a", 0o600);
    this.size = bytes.byteLength;
  }

  close(): void {
    clearTimeout(this.#syncTimer);
    closeSync(this.#descriptor);
  }
}

/** Replaces a file. A crash or a full disk leaves either the old file or the new one. */
export function replaceFile(file: string, content: string | Buffer): void {
  try {
    writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw error;
  }
}

/** Copies a file next to it, and returns the path of the copy. */
export function keepCopy(file: string): string {
  let number = 1;
  while (existsSync(`${file}.copy-${number}`)) number++;
  const copy = `${file}.copy-${number}`;
  copyFileSync(file, copy);
  return copy;
}

function lineOf(record: object): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

function writeFully(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.byteLength) written += writeSync(descriptor, bytes, written);
}

/** Reads all lines that fit their checksums, up to the last line's end. */
function readRecords(content: Buffer): { records: object[]; damaged: number; size: number } {
  const records: object[] = [];
  let damaged = 0;
  let start = 0;
  for (;;) {
    const end = content.indexOf(0x0a, start);
    if (end < 0) break;
    const line = content.toString("utf8", start, end);
    const json = line.slice(9);
    if (line.slice(0, 9) === `${checksum(json)} `) records.push(JSON.parse(json));
    else damaged++;
    start = end + 1;
  }
  return { records, damaged, size: start };
}
