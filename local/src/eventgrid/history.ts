/** The last of what happened, bounded in number and bytes so that a long run stays in memory. */
export class History<Entry> {
  #entries: { readonly entry: Entry; readonly bytes: number }[] = [];
  #first = 0;
  #bytes = 0;

  constructor(
    private readonly most: number,
    private readonly mostBytes: number,
    /** Told of every entry as it is added. */
    private readonly onAdd: (entry: Entry) => void = () => {},
  ) {}

  add(entry: Entry, bytes: number): void {
    this.#entries.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#length > 1 && (this.#length > this.most || this.#bytes > this.mostBytes)) {
      this.#bytes -= this.#entries[this.#first]?.bytes ?? 0;
      this.#first++;
    }
    // Moves the rest to the front now and then, which costs less than a shift at every entry.
    if (this.#first > this.#length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#first = 0;
    }
    this.onAdd(entry);
  }

  /** The oldest first. */
  list(): Entry[] {
    return this.#entries.slice(this.#first).map(({ entry }) => entry);
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
