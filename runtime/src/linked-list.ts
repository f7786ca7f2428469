/** What can stand in a {@link LinkedList}: in one at a time. */
export interface Linked<Item> {
  previous: Item | undefined;
  next: Item | undefined;
}

/**
 * What comes and goes with every call or request, in the order it came.
 *
 * Not a `Set`: while members come and go V8 gives it one table after the other, and each that was
 * given up still refers to the next. Once one of them is old, all that follow grow old with it and
 * keep what was in them from the cheap collection of young garbage; that made publishing a third
 * dearer. Here whatever is taken out refers to nothing, and nothing to it.
 */
export class LinkedList<Item extends Linked<Item>> implements Iterable<Item> {
  #first: Item | undefined;
  #last: Item | undefined;

  /** The one that has been here longest. */
  get first(): Item | undefined {
    return this.#first;
  }

  add(item: Item): void {
    item.previous = this.#last;
    if (this.#last === undefined) this.#first = item;
    else this.#last.next = item;
    this.#last = item;
  }

  /** Takes out one that is here, or does nothing. */
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
