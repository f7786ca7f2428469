import { isObject, listAt, sameScope, scopeKey, textAt } from "../../base/index.js";
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
    const { principalId: _, tenantId: __, userAssignedIdentities: others, ...rest } = wanted;
    const userAssignedIdentities = isObject(others) ? this.#withIds(others) : others;
    const shown = { ...unset, ...rest, ...(others != null && { userAssignedIdentities }) };
    if (!/SystemAssigned/i.test(type)) return shown;
    const { objectId: principalId, tenantId } = this.#ensurePrincipal(resource);
    return { ...shown, principalId, tenantId };
  }

  /** The IDs of user-assigned identities by their resource IDs; `null` for unknown ones. */
  #withIds(identities: Readonly<Record<string, unknown>>) {
    const principals = this.tenant.servicePrincipals.list();
    return Object.fromEntries(
      Object.keys(identities).map((id) => {
        const found = principals.find(({ attributes }) =>
          listAt(attributes, "alternativeNames").some((name) => sameScope(String(name), id)),
        );
        const principalId = found?.objectId ?? null;
        return [id, { principalId, clientId: found?.clientId ?? null }];
      }),
    );
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
