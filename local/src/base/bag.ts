/**
 * What is in progress, in no order. A Set that things enter and leave all the time makes a new table
 * every few changes, and the old ones keep what was in them until the next full garbage collection.
 */
export class Bag<T> {
  readonly #entries: { readonly item: T; index: number }[] = [];

  /** @returns removes the item */
  add(item: T): () => void {
    const entry = { item, index: this.#entries.length };
    this.#entries.push(entry);
    return () => {
      if (this.#entries[entry.index] !== entry) return;
      const last = this.#entries.pop();
      if (last === undefined || last === entry) return;
      last.index = entry.index;
      this.#entries[entry.index] = last;
    };
  }

  list(): T[] {
    return this.#entries.map(({ item }) => item);
  }

  clear(): void {
    this.#entries.length = 0;
  }
}
