/** The latest entries, limited in number and bytes so that a long run does not exhaust memory. */
export class History<Entry> {
  #entries: { readonly entry: Entry; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;

  constructor(
    private readonly maxEntries: number,
    private readonly maxBytes: number,
    /** Called with every entry as it is added. */
    private readonly onAdd: (entry: Entry) => void = () => {},
  ) {}

  add(entry: Entry, bytes: number): void {
    this.#entries.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#length > 1 && (this.#length > this.maxEntries || this.#bytes > this.maxBytes)) {
      this.#bytes -= this.#entries[this.#first]?.bytes ?? 0;
      this.#first++;
    }
    // Compacting now and then costs less than a shift for every entry.
    if (this.#first > this.#length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    this.onAdd(entry);
  }

  /** Oldest first. */
  list(): Entry[] {
    return this.#entries.slice(this.#first).map(({ entry }) => entry);
  }

  /** The last `most` entries, the oldest first. */
  latest(most: number): Entry[] {
    const from = Math.max(this.#first, this.#entries.length - Math.max(0, most));
    return this.#entries.slice(from).map(({ entry }) => entry);
  }

  clear(): void {
    this.#entries = [];
    this.#first = 0;
    this.#bytes = 0;
  }

  get #length(): number {
    return this.#entries.length - this.#first;
  }
}
