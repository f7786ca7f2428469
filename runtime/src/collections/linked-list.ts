/** An item of a {@link LinkedList}; of one list at a time. */
export interface Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * Items that are added and removed with every call or request, in the order of their addition.
 *
 * A `Set` would do the same, but V8 replaces its table again and again while members come and go,
 * and each old table refers to the next. Once one of them is in the old generation, its successors
 * stay alive, and so do their members, which the cheap collection of the young generation then
 * cannot free. That made publishing a third slower. A removed item of this list has no references
 * to others, nor they to it.
 */
export class LinkedList<Item extends Linked<Item>> implements Iterable<Item> {
  #first: Item | undefined;
  #last: Item | undefined;

  get first(): Item | undefined {
    return this.#first;
  }

  add(item: Item): void {
    item.previous = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.next = item;
    this.#last = item;
  }

  /** Removes an item, if the list contains it. */
  remove(item: Item): void {
    const { previous, next } = item;
    if (previous === undefined && this.#first !== item) return;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    item.previous = undefined;
    item.next = undefined;
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let item = this.#first; item !== undefined; item = item.next) yield item;
  }
}
