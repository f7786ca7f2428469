import { MIB } from "../../base/index.js";
/** Bytes of events that one history keeps. */
export const MAX_HISTORY_BYTES = 64 * MIB;

/** The latest entries, limited in number and bytes so that a long run does not exhaust memory. */
export class BoundedHistory<Entry> {
  /** Entries that are gone are undefined until the next compaction. */
  #entries: (Entry | undefined)[] = [];
  #sizes: number[] = [];
  #first = 0;
  #bytes = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxBytes: number,
  ) {}

  add(entry: Entry, bytes: number): void {
    this.#entries.push(entry);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    while (this.#length > 1 && (this.#length > this.maxEntries || this.#bytes > this.maxBytes)) {
      this.#bytes -= Number(this.#sizes[this.#first]);
      this.#entries[this.#first] = undefined;
      this.#first++;
    }
    // Compacting now and then costs less than a shift for every entry.
    if (this.#first > this.#length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#sizes = this.#sizes.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Oldest first. */
  list(): Entry[] {
    return this.latest(this.#length);
  }

  /** The last `most` entries, the oldest first. */
  latest(most: number): Entry[] {
    const from = Math.max(this.#first, this.#entries.length - Math.max(0, most));
    return this.#entries.slice(from).filter((entry) => entry !== undefined);
  }

  clear(): void {
    this.#entries = [];
    this.#sizes = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  get #length(): number {
    return this.#entries.length - this.#first;
  }
}
