import { isObject, scopeKey, textAt } from "../../base/index.js";
import type { Tenant } from "../../directory/index.js";

interface Resource {
  readonly id: string;
  readonly name: string;
}

/** System-assigned identities: service principals that are deleted with their resource. */
export class ManagedIdentities {
  /** Object IDs of the principals by resource ID. */
  readonly #principals = new Map<string, string>();

  constructor(private readonly tenant: Tenant) {}

  /**
   * Creates or deletes the resource's identity as the request specifies.
   *
   * @param unset the fields of an identity without values. Without them, `None` has no identity
   * @returns the identity as Resource Manager shows it, with the principal to assign roles to
   */
  assign(resource: Resource, wanted: unknown, unset?: Readonly<Record<string, unknown>>): unknown {
    const type = textAt(wanted, "type") ?? "None";
    if (!/SystemAssigned/i.test(type)) this.remove(resource.id);
    if (!isObject(wanted) || (/^None$/i.test(type) && !unset)) return undefined;
    const { principalId: _, tenantId: __, ...rest } = wanted;
    if (!/SystemAssigned/i.test(type)) return { ...unset, ...rest };
    const { objectId: principalId, tenantId } = this.#ensurePrincipal(resource);
    return { ...unset, ...rest, principalId, tenantId };
  }

  /** @internal */
  snapshot(): [string, string][] {
    return [...this.#principals];
  }

  /** @internal */
  restore(principals: readonly (readonly [string, string])[]): void {
    for (const [resource, objectId] of principals) this.#principals.set(resource, objectId);
  }

  /** Object ID of the resource's principal; `undefined` without an identity. */
  principalOf(resourceId: string): string | undefined {
    return this.#principals.get(scopeKey(resourceId));
  }

  /** Deletes the resource's principal. */
  remove(resourceId: string): void {
    const objectId = this.#principals.get(scopeKey(resourceId));
    this.#principals.delete(scopeKey(resourceId));
    if (objectId !== undefined) this.tenant.deleteServicePrincipal(objectId);
  }

  #ensurePrincipal(resource: Resource) {
    const { servicePrincipals } = this.tenant;
    const known = servicePrincipals.get(this.#principals.get(scopeKey(resource.id)) ?? "");
    if (known) return known;
    const principal = servicePrincipals.createManagedIdentity(resource);
    this.#principals.set(scopeKey(resource.id), principal.objectId);
    return principal;
  }
}
