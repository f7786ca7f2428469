/** The applications or the service principals of one tenant. */
export abstract class DirectoryObjects<
  T extends { readonly objectId: string; readonly clientId: string },
  Snapshot,
> {
  readonly #byObjectId = new Map<string, T>();

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

  delete(objectId: string): boolean {
    return this.#byObjectId.delete(objectId.toLowerCase());
  }

  /** @internal */
  snapshot(): Snapshot[] {
    return this.list().map((each) => this.snapshotOf(each));
  }

  /** @internal Replaces all objects. */
  restore(snapshots: readonly Snapshot[]): void {
    this.#byObjectId.clear();
    for (const each of snapshots) this.add(this.restored(each));
  }

  /** @internal */
  protected add(object: T): T {
    this.#byObjectId.set(object.objectId, object);
    return object;
  }

  /** @internal */
  protected abstract snapshotOf(object: T): Snapshot;

  /** @internal */
  protected abstract restored(snapshot: Snapshot): T;
}
