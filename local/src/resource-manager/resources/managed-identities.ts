import { isObject, sameScope, sameText, textAt } from "../../base/index.js";
import type { ServicePrincipal, Tenant } from "../../directory/index.js";

interface Resource {
  readonly id: string;
  readonly name: string;
}

/** System-assigned identities: service principals that are deleted with their resource. */
export class ManagedIdentities {
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
    if (!isObject(wanted) || (sameText(type, "None") && !unset)) return undefined;
    const { principalId: _, tenantId: __, userAssignedIdentities: others, ...rest } = wanted;
    const userAssignedIdentities = isObject(others) ? this.#withIds(others) : others;
    const shown = { ...unset, ...rest, ...(others != null && { userAssignedIdentities }) };
    if (!/SystemAssigned/i.test(type)) return shown;
    const { objectId: principalId, tenantId } =
      this.#principal(resource.id, false) ??
      this.tenant.servicePrincipals.createManagedIdentity(resource);
    return { ...shown, principalId, tenantId };
  }

  /** The IDs of user-assigned identities by their resource IDs; `null` for unknown ones. */
  #withIds(identities: Readonly<Record<string, unknown>>) {
    return Object.fromEntries(
      Object.keys(identities).map((id) => {
        const found = this.#principal(id, true);
        return [id, { principalId: found?.objectId ?? null, clientId: found?.clientId ?? null }];
      }),
    );
  }

  /** Object ID of the resource's principal; `undefined` without an identity. */
  principalOf(resourceId: string): string | undefined {
    return this.#principal(resourceId, false)?.objectId;
  }

  /** Object ID of a user-assigned identity; `undefined` if it is not here. */
  userAssignedPrincipal(identityId: string): string | undefined {
    return this.#principal(identityId, true)?.objectId;
  }

  /** Deletes the resource's principal. */
  remove(resourceId: string): void {
    const objectId = this.principalOf(resourceId);
    if (objectId !== undefined) this.tenant.deleteServicePrincipal(objectId);
  }

  #principal(id: string, isUserAssigned: boolean): ServicePrincipal | undefined {
    return this.tenant.servicePrincipals
      .managedIdentities()
      .find((each) => each.isUserAssigned === isUserAssigned && sameScope(each.resourceId, id))
      ?.principal;
  }
}
