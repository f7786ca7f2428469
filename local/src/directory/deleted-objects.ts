const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** A deleted object. */
export interface Deleted<T> {
  readonly object: T;
  readonly deletedDateTime: string;
}

/**
 * Deleted objects that can be restored for 30 days, as in Entra.
 *
 * @see https://learn.microsoft.com/graph/api/resources/directory
 */
export class DeletedObjects<T extends { readonly objectId: string }> {
  readonly #byObjectId = new Map<string, Deleted<T>>();

  constructor(private readonly now: () => number) {}

  add(object: T): void {
    const deletedDateTime = new Date(this.now()).toISOString();
    this.#byObjectId.set(object.objectId, { object, deletedDateTime });
  }

  get(objectId: string): Deleted<T> | undefined {
    return this.list().find(({ object }) => object.objectId === objectId.toLowerCase());
  }

  list(): Deleted<T>[] {
    for (const [objectId, { deletedDateTime }] of this.#byObjectId) {
      if (Date.parse(deletedDateTime) + THIRTY_DAYS <= this.now()) {
        this.#byObjectId.delete(objectId);
      }
    }
    return [...this.#byObjectId.values()];
  }

  /** Deletes the object for good. */
  delete(objectId: string): boolean {
    return this.#byObjectId.delete(objectId.toLowerCase());
  }

  /** @internal Replaces all objects. */
  restore(all: readonly Deleted<T>[]): void {
    this.#byObjectId.clear();
    for (const deleted of all) this.#byObjectId.set(deleted.object.objectId, deleted);
  }
}
