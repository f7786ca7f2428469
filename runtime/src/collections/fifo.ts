/** A first-in, first-out queue. Taking from the front of a large array would move all the rest. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): Item | undefined {
    return this.#items[this.#head];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    // Half of it is gaps: copying the rest costs less than one step per item taken.
    if (this.#head > this.#items.length / 2) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#head; index < this.#items.length; index += 1) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }
}
