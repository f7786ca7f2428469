import { SECOND_MS } from "./units.js";
export interface LingeringOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The time for which a deleted item lingers. */
  readonly seconds: number;
}

/** Deleted items that still conflict with new ones for a while, as deletions in Azure spread slowly. */
export class Lingering<Item> {
  #items: { readonly item: Item; readonly until: number }[] = [];

  constructor(private readonly options: LingeringOptions) {}

  add(item: Item): void {
    const { now, seconds } = this.options;
    if (seconds > 0) this.#items.push({ item, until: now() + seconds * SECOND_MS });
  }

  list(): Item[] {
    const now = this.options.now();
    this.#items = this.#items.filter(({ until }) => until > now);
    return this.#items.map(({ item }) => item);
  }
}
