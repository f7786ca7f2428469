import { createHash } from "node:crypto";
import { scopeKey } from "../../base/index.js";

/** A resource of any type. */
export interface Resource {
  readonly id: string;
  readonly name: string;
  /** Namespace and type, for example `Microsoft.Storage/storageAccounts`. */
  readonly type: string;
  readonly location: string;
  /** The other fields: the written ones, and those that a write computes. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** The response for a resource without location and tags. */
export function shownPlainly({ id, name, type, body }: Resource) {
  return { id, name, type, ...body };
}

/** Namespace and type in a resource ID, in the case of the ID. */
export function typeOf(id: string): string {
  const [namespace = "", ...segments] =
    id
      .split(/\/providers\//i)
      .at(-1)
      ?.split("/") ?? [];
  return [namespace, ...segments.filter((_, index) => index % 2 === 0)].join("/");
}

export function isOfType(id: string, type: string): boolean {
  return typeOf(id).toLowerCase() === type.toLowerCase();
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

/** The two access keys of a resource. */
export function twoKeys({ id }: Resource) {
  return { primaryKey: stableKey(id, "primary"), secondaryKey: stableKey(id, "secondary") };
}
