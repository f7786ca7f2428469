import { createHash } from "node:crypto";
import { isWithin, scopeKey } from "../../base/index.js";

/** A resource of any type: the written body with the fields that its service computes. */
export interface GenericResource {
  readonly id: string;
  readonly name: string;
  /** Namespace and type, for example `Microsoft.Storage/storageAccounts`. */
  readonly type: string;
  readonly location: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Resources that are stored as they were written, without behaviour of their own. */
export class GenericResources {
  readonly #all = new Map<string, GenericResource>();

  /** Whether the resource is new. */
  put(resource: GenericResource): boolean {
    const isNew = !this.#all.has(scopeKey(resource.id));
    this.#all.set(scopeKey(resource.id), resource);
    return isNew;
  }

  get(id: string): GenericResource | undefined {
    return this.#all.get(scopeKey(id));
  }

  /** Resources at or below an ID. */
  in(id: string): GenericResource[] {
    return [...this.#all.values()].filter((each) => isWithin(each.id, id));
  }

  /** @internal */
  snapshot(): readonly GenericResource[] {
    return [...this.#all.values()];
  }

  /** @internal */
  restore(resources: readonly GenericResource[]): void {
    for (const each of resources) this.put(each);
  }

  /** Deletes the resource with its children, and returns what was deleted. */
  delete(id: string): GenericResource[] {
    const deleted = this.in(id);
    for (const each of deleted) this.#all.delete(scopeKey(each.id));
    return deleted;
  }
}

/** A UUID that is always the same for a resource. */
export function stableUuid(id: string): string {
  const hex = createHash("sha256").update(scopeKey(id)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A key that is always the same for a resource. */
export function stableKey(id: string, name: string): string {
  return createHash("sha256")
    .update(`${scopeKey(id)} ${name}`)
    .digest("base64");
}
