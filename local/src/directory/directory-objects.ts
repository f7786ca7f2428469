const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1000;

/** A deleted object, which can be restored for 30 days, as in Entra. */
export interface Deleted<T> {
  readonly object: T;
  readonly deletedDateTime: string;
}

/** The applications or the service principals of one tenant. */
export abstract class DirectoryObjects<
  T extends { readonly objectId: string; readonly clientId: string },
  Snapshot,
> {
  readonly #byObjectId = new Map<string, T>();
  #deleted: readonly Deleted<T>[] = [];

  constructor(protected readonly now: () => number) {}

  get(objectId: string): T | undefined {
    return this.#byObjectId.get(objectId.toLowerCase());
  }

  byClientId(clientId: string): T | undefined {
    return this.list().find((each) => each.clientId === clientId.toLowerCase());
  }

  list(): T[] {
    return [...this.#byObjectId.values()];
  }

  /** Moves an object to the deleted ones. */
  delete(objectId: string): boolean {
    const object = this.get(objectId);
    if (!object) return false;
    const deletedDateTime = new Date(this.now()).toISOString();
    this.#deleted = [...this.deleted(), { object, deletedDateTime }];
    return this.#byObjectId.delete(object.objectId);
  }

  /** The deleted objects that can be restored. */
  deleted(): readonly Deleted<T>[] {
    const since = this.now() - THIRTY_DAYS;
    return this.#deleted.filter(({ deletedDateTime }) => Date.parse(deletedDateTime) > since);
  }

  /**
   * Restores a deleted object; `undefined` if there is none.
   *
   * @throws ServiceError if it conflicts with others by now
   */
  undelete(objectId: string): T | undefined {
    const object = this.deleted().find((each) => isOf(each, objectId))?.object;
    if (!object) return undefined;
    this.check(object);
    this.deletePermanently(objectId);
    return this.add(object);
  }

  /** Deletes a deleted object for good. */
  deletePermanently(objectId: string): void {
    this.#deleted = this.deleted().filter((each) => !isOf(each, objectId));
  }

  /** @internal */
  snapshot() {
    return {
      existing: this.list().map((each) => this.snapshotOf(each)),
      deleted: this.deleted().map((each) => ({ ...each, object: this.snapshotOf(each.object) })),
    };
  }

  /** @internal Replaces all objects. */
  restore({ existing, deleted }: ReturnType<DirectoryObjects<T, Snapshot>["snapshot"]>): void {
    this.#byObjectId.clear();
    for (const each of existing) this.add(this.restored(each));
    this.#deleted = deleted.map((each) => ({ ...each, object: this.restored(each.object) }));
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

function isOf({ object }: Deleted<{ readonly objectId: string }>, objectId: string): boolean {
  return object.objectId === objectId.toLowerCase();
}
