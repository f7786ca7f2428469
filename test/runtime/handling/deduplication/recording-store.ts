import type {
  Claim,
  DeduplicationStore,
  EventKey,
  SettledLease,
} from "cloud-eventgrid-binding-runtime";

/** A store that replicas share, and which records its calls. A lease is the key of its event. */
export class RecordingStore implements DeduplicationStore<EventKey> {
  readonly calls: string[] = [];
  readonly claimed: EventKey[] = [];
  readonly #states = new Map<string, readonly [id: string, state: "running" | "done"]>();

  constructor(readonly leaseMs = 60_000) {}

  /** The state of each event that is claimed or handled, by its ID. */
  get states() {
    return [...this.#states.values()];
  }

  async claim(keys: readonly EventKey[]): Promise<readonly Claim<EventKey>[]> {
    this.calls.push(`claim ${keys.map(({ id }) => id)}`);
    this.claimed.push(...keys);
    return keys.map((key) => {
      const known = this.#states.get(JSON.stringify(key));
      if (known !== undefined) return known[1];
      this.#states.set(JSON.stringify(key), [key.id, "running"]);
      return key;
    });
  }

  async settle(outcomes: readonly SettledLease<EventKey>[]): Promise<void> {
    const shown = outcomes.map(({ lease: { id }, isHandled }) => `${isHandled ? "+" : "-"}${id}`);
    this.calls.push(`settle ${shown}`);
    for (const { lease, isHandled } of outcomes) {
      if (isHandled) this.#states.set(JSON.stringify(lease), [lease.id, "done"]);
      else this.#states.delete(JSON.stringify(lease));
    }
  }

  async extend(leases: readonly EventKey[]): Promise<void> {
    this.calls.push(`extend ${leases.map(({ id }) => id)}`);
  }
}
