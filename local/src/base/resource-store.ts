import { isWithin, scopeKey } from "./resource-id.js";

/** Resources by their IDs, which compare case-insensitively. */
export class ResourceStore<T extends { readonly id: string }> {
  readonly #all = new Map<string, T>();

  /** Adds the resource, or replaces the one with its ID. */
  put(resource: T): void {
    this.#all.set(scopeKey(resource.id), resource);
  }

  get(id: string): T | undefined {
    return this.#all.get(scopeKey(id));
  }

  list(): T[] {
    return [...this.#all.values()];
  }

  /** The resource with an ID, and those below it. */
  in(id: string): T[] {
    return this.list().filter((each) => isWithin(each.id, id));
  }

  /** `false` if the resource does not exist. */
  delete(id: string): boolean {
    return this.#all.delete(scopeKey(id));
  }

  /** Plain JSON, if the resources are. */
  snapshot(): readonly T[] {
    return this.list();
  }

  /** Replaces all resources. */
  restore(resources: readonly T[]): void {
    this.#all.clear();
    for (const resource of resources) this.put(resource);
  }
}
