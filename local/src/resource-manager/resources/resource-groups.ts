import { sameScope } from "../../base/index.js";

export interface ResourceGroup {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  /** ID of the resource that manages the group. */
  readonly managedBy: string | undefined;
}

/** The resource groups of the subscription. */
export class ResourceGroups {
  #all: ResourceGroup[] = [];

  put(group: Omit<ResourceGroup, "id"> & { subscriptionId: string }): {
    group: ResourceGroup;
    created: boolean;
  } {
    const { subscriptionId, ...rest } = group;
    const id = `/subscriptions/${subscriptionId}/resourceGroups/${group.name}`;
    const created = !this.delete(id);
    const stored = { id, ...rest };
    this.#all.push(stored);
    return { group: stored, created };
  }

  get(id: string): ResourceGroup | undefined {
    return this.#all.find((each) => sameScope(each.id, id));
  }

  list(): readonly ResourceGroup[] {
    return this.#all;
  }

  /** @internal */
  snapshot(): readonly ResourceGroup[] {
    return this.#all;
  }

  /** @internal */
  restore(groups: readonly ResourceGroup[]): void {
    this.#all = [...groups];
  }

  delete(id: string): boolean {
    const before = this.#all.length;
    this.#all = this.#all.filter((each) => !sameScope(each.id, id));
    return this.#all.length < before;
  }
}
