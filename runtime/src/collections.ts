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

interface AbortCallbacks {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/**
 * Listens to each `AbortSignal` once, however many calls share it: Node warns of a leak when a signal
 * has more than ten listeners. The events are not used: those of other implementations of `AbortSignal`
 * have no target.
 */
export class SignalListeners {
  readonly #listeners = new Map<AbortSignal, AbortCallbacks>();

  /** @returns a function that removes the callback */
  add(signal: AbortSignal, callback: () => void): () => void {
    const { callbacks } = this.#listeners.get(signal) ?? this.#listen(signal);
    callbacks.add(callback);
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0) this.#unlisten(signal);
    };
  }

  #listen(signal: AbortSignal): AbortCallbacks {
    const callbacks = new Set<() => void>();
    const listener = () => {
      for (const callback of [...callbacks]) callback();
    };
    signal.addEventListener("abort", listener);
    this.#listeners.set(signal, { callbacks, listener });
    return { callbacks, listener };
  }

  #unlisten(signal: AbortSignal): void {
    const entry = this.#listeners.get(signal);
    if (entry === undefined) return;
    this.#listeners.delete(signal);
    signal.removeEventListener("abort", entry.listener);
  }
}
