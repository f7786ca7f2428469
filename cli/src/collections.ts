/** Items by a key that several of them may have. */
export class Groups<Key, Item> {
  readonly #lists = new Map<Key, [Item, ...Item[]]>();

  add(key: Key, item: Item): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [item]);
    else list.push(item);
  }

  has(key: Key): boolean {
    return this.#lists.has(key);
  }

  /** The items of a key; an empty list if it has none. */
  of(key: Key): readonly Item[] {
    return this.#lists.get(key) ?? [];
  }

  [Symbol.iterator](): Iterator<readonly [Key, readonly [Item, ...Item[]]]> {
    return this.#lists.entries();
  }
}

/** The value of a key in a cache, which is made the first time. */
export function cached<Key, Value>(
  cache: {
    has(key: Key): boolean;
    get(key: Key): Value | undefined;
    set(key: Key, value: Value): void;
  },
  key: Key,
  make: () => Value,
): Value {
  if (!cache.has(key)) cache.set(key, make());
  return cache.get(key) as Value;
}

/** The items that are there. */
export function present<Item>(items: Iterable<Item | undefined>): Item[] {
  return [...items].filter((item) => item !== undefined);
}

/** The items of a list; of another value, itself. Nothing has none. */
export function itemsOf<Item>(value: Item | readonly Item[] | null | undefined): Item[] {
  return value == null ? [] : ([value].flat() as Item[]);
}
