import {
  closeSync,
  existsSync,
  fdatasync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { crc32 } from "node:zlib";

/** Power failures may lose this much; an ended process loses nothing that was written. */
const SYNC_INTERVAL_MS = 1_000;

/**
 * A file of records, each a line with a checksum. Records are only appended; a line that was cut off
 * by a crash is removed when the file is opened.
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

  /** Opens the file, or creates it, and reads its records. */
  static open(file: string): { log: RecordLog; records: unknown[] } {
    const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const { records, size } = readRecords(content);
    const descriptor = openSync(file, "a", 0o600);
    if (size < content.byteLength) ftruncateSync(descriptor, size);
    return { log: new RecordLog(file, descriptor, size), records };
  }

  /** Adds a record, which `flush` writes. */
  append(record: object): void {
    this.#buffer.push(lineOf(record));
  }

  /** Writes the added records. They survive the end of the process from now on. */
  flush(): void {
    if (this.#buffer.length === 0) return;
    const bytes = Buffer.from(this.#buffer.join(""));
    this.#buffer = [];
    writeFully(this.#descriptor, bytes);
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
    writeFileSync(`${this.file}.new`, bytes, { mode: 0o600, flush: true });
    renameSync(`${this.file}.new`, this.file);
    closeSync(this.#descriptor);
    this.#descriptor = openSync(this.file, "a", 0o600);
    this.size = bytes.byteLength;
  }

  close(): void {
    this.flush();
    clearTimeout(this.#syncTimer);
    closeSync(this.#descriptor);
  }
}

function lineOf(record: object): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}

function writeFully(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.byteLength) written += writeSync(descriptor, bytes, written);
}

/** Reads up to the first line that is incomplete or does not fit its checksum. */
function readRecords(content: Buffer): { records: unknown[]; size: number } {
  const records: unknown[] = [];
  let start = 0;
  for (;;) {
    const end = content.indexOf(0x0a, start);
    if (end < 0) break;
    const line = content.toString("utf8", start, end);
    const json = line.slice(9);
    if (line.slice(0, 8) !== checksum(json)) break;
    records.push(JSON.parse(json));
    start = end + 1;
  }
  return { records, size: start };
}
