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

/** The applications or the service principals of one tenant. */
export abstract class DirectoryObjects<
  T extends { readonly objectId: string; readonly clientId: string },
  Snapshot,
> {
  readonly deleted: DeletedObjects<T>;
  readonly #byObjectId = new Map<string, T>();

  constructor(protected readonly now: () => number) {
    this.deleted = new DeletedObjects(now);
  }

  get(objectId: string): T | undefined {
    return this.#byObjectId.get(objectId.toLowerCase());
  }

  byClientId(clientId: string): T | undefined {
    return this.list().find((each) => each.clientId === clientId.toLowerCase());
  }

  list(): T[] {
    return [...this.#byObjectId.values()];
  }

  /** Removes an object. */
  delete(objectId: string): boolean {
    return this.#byObjectId.delete(objectId.toLowerCase());
  }

  /**
   * Brings a deleted object back; `undefined` if there is none.
   *
   * @throws ServiceError if it conflicts with others by now
   */
  undelete(objectId: string): T | undefined {
    const object = this.deleted.get(objectId)?.object;
    if (!object) return undefined;
    this.check(object);
    this.deleted.delete(objectId);
    return this.add(object);
  }

  /** @internal */
  snapshot() {
    return {
      existing: this.list().map((each) => this.snapshotOf(each)),
      deleted: this.deleted
        .list()
        .map(({ object, ...deleted }) => ({ ...deleted, object: this.snapshotOf(object) })),
    };
  }

  /** @internal Replaces all objects. */
  restore({ existing, deleted }: ReturnType<DirectoryObjects<T, Snapshot>["snapshot"]>): void {
    this.#byObjectId.clear();
    for (const each of existing) this.add(this.restored(each));
    this.deleted.restore(
      deleted.map(({ object, ...rest }) => ({ ...rest, object: this.restored(object) })),
    );
  }

  /** @internal */
  protected add(object: T): T {
    this.#byObjectId.set(object.objectId, object);
    return object;
  }

  /** @internal @throws ServiceError if the object conflicts with others */
  protected abstract check(object: T): void;

  /** @internal */
  protected abstract snapshotOf(object: T): Snapshot;

  /** @internal */
  protected abstract restored(snapshot: Snapshot): T;
}
