import { isWithin, ResourceStore, scopeKey } from "../../base/index.js";
import type { RoleAssignments } from "../authorization/index.js";
import type { ManagedIdentities, SubscriptionState } from "../resources/index.js";
import type { Resource } from "./resource.js";
import type { ResourceType } from "./resource-type.js";

/** The resources of the subscription, wherever their types keep them. */
export class Resources {
  /** Those that their types do not keep themselves. */
  readonly store = new ResourceStore<Resource>();
  #types: readonly ResourceType[] = [];

  constructor(
    private readonly state: {
      readonly identities: ManagedIdentities;
      readonly roleAssignments: RoleAssignments;
    },
  ) {}

  get types(): readonly ResourceType[] {
    return this.#types;
  }

  /** Separate from the constructor, because types need the resources of other types. */
  define(types: readonly ResourceType[]): void {
    this.#types = types;
  }

  /** A known type, or any child of a type that keeps no resources itself. */
  typeNamed(name: string): ResourceType | undefined {
    const known = this.#types.find(({ type }) => type.toLowerCase() === name.toLowerCase());
    if (known) return known;
    const parent = this.#types.find(
      ({ type, read }) => !read && scopeKey(name).startsWith(`${scopeKey(type)}/`),
    );
    return parent && { type: `${parent.type}${name.slice(parent.type.length)}` };
  }

  get(id: string): Resource | undefined {
    const stored = this.store.get(id);
    if (stored) return stored;
    for (const { read } of this.#types) {
      const resource = read?.get(id);
      if (resource) return resource;
    }
    return undefined;
  }

  /** The resource with an ID and those below it, without those that their types do not list. */
  in(id: string): Resource[] {
    const elsewhere = this.#types.flatMap(({ read }) => read?.list?.() ?? []);
    return [...elsewhere, ...this.store.list()].filter((each) => isWithin(each.id, id));
  }

  /** Deletes the resource and everything below it, with identities and role assignments. */
  remove(resource: Resource): void {
    const below = this.in(resource.id).filter(({ id }) => scopeKey(id) !== scopeKey(resource.id));
    for (const each of [...below, resource]) {
      this.typeNamed(each.type)?.onDelete?.(each);
      this.state.identities.remove(each.id);
      this.store.delete(each.id);
    }
    this.state.roleAssignments.deleteWithin(resource.id);
  }
}

/** The state of the subscription with its resources. */
export interface ResourceState extends SubscriptionState {
  readonly resources: Resources;
}
