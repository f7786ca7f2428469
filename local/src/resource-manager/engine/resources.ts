import { createHash } from "node:crypto";
import { groupOf, isWithin, nameIn, ResourceStore, scopeKey, typeOf } from "../../base/index.js";
import {
  groupNotFound,
  type ManagedIdentities,
  type RoleAssignments,
  resourceNotFound,
  type SubscriptionState,
} from "../resources/index.js";
import type { Resource, ResourceType } from "./resource-type.js";

/** A resource whose name is the last segment of its ID. */
export function resourceAt(
  id: string,
  type: string,
  body: Resource["body"],
  location = "",
): Resource {
  return { id, name: nameIn(id), type, location, body };
}

/** The response for a resource without location and tags. */
export function shownPlainly({ id, name, type, body }: Resource) {
  return { id, name, type, ...body };
}

/** Returns an item of a service as a resource; `undefined` if there is none. */
export function ifKept<Stored>(
  stored: Stored | undefined,
  resourceOf: (stored: Stored) => Resource,
): Resource | undefined {
  return stored && resourceOf(stored);
}

/** A UUID that is always the same for a resource. */
export function stableUuid(id: string): string {
  const hex = createHash("sha256").update(scopeKey(id)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A key that is always the same for a resource. */
export function stableKey(id: string, name: string, bits: 256 | 512 = 256): string {
  return createHash(`sha${bits}`)
    .update(`${scopeKey(id)} ${name}`)
    .digest("base64");
}

/** The two access keys of a resource. */
export function twoKeys({ id }: Resource) {
  return { primaryKey: stableKey(id, "primary"), secondaryKey: stableKey(id, "secondary") };
}

/** So many deleted resources are remembered, the latest ones. */
const MAX_DELETED = 1_000;

/** The resources of the subscription, wherever their types keep them. */
export class Resources {
  /** Those that their types do not keep themselves. */
  readonly store = new ResourceStore<Resource>();
  #types: readonly ResourceType[] = [];
  readonly #deleted = new Set<string>();
  /** The deleted resources, which a restart does not forget. */
  readonly deletions = {
    snapshot: () => [...this.#deleted],
    restore: (keys: readonly string[]) => {
      for (const key of keys) this.#deleted.add(key);
    },
  };

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
    return this.store.get(id) ?? this.typeNamed(typeOf(id))?.read?.get(id);
  }

  /** Whether the resource group in an ID exists. What is in another one may be elsewhere. */
  hasGroupOf(id: string): boolean {
    const group = groupOf(id);
    return group !== undefined && this.store.get(group) !== undefined;
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
      const key = scopeKey(each.id);
      this.#deleted.delete(key);
      this.#deleted.add(key);
    }
    for (const key of this.#deleted) {
      if (this.#deleted.size <= MAX_DELETED) break;
      this.#deleted.delete(key);
    }
    this.state.roleAssignments.deleteWithin(resource.id);
  }

  /**
   * Whether the resource was deleted, or what contains it. Others that are not here may be elsewhere,
   * or known to code alone.
   */
  isDeleted(id: string): boolean {
    if (this.#deleted.size === 0 || this.get(id) !== undefined) return false;
    const segments = scopeKey(id).split("/");
    return segments.some((_, index) => {
      const above = segments.slice(0, index + 1).join("/");
      return this.#deleted.has(above) && this.get(above) === undefined;
    });
  }
}

/**
 * Checks what a role or a setting is written at. Resources that no service here keeps may be elsewhere,
 * unless they were deleted here.
 *
 * @throws ServiceError 404 for a resource group or a resource that does not exist
 */
export function requireScope(resources: Resources, scope: string): void {
  const group = groupOf(scope);
  if (group !== undefined && !resources.store.get(group)) throw groupNotFound(group);
  if (group === undefined || scopeKey(group) === scopeKey(scope)) return;
  const isKept = resources.typeNamed(typeOf(scope))?.read?.list !== undefined;
  const isMissing = isKept ? !resources.get(scope) : resources.isDeleted(scope);
  if (isMissing) throw resourceNotFound(scope);
}

/** The state of the subscription with its resources. */
export interface ResourceState extends SubscriptionState {
  readonly resources: Resources;
}
