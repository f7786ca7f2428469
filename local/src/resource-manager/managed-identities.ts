import { isObject, textAt } from "../control-plane/json-fields.js";
import type { Tenant } from "../directory/index.js";
import { scopeKey } from "../eventgrid/scope.js";

interface Resource {
  readonly id: string;
  readonly name: string;
}

/** The identities that resources have of their own: service principals that go with them. */
export class ManagedIdentities {
  /** Object IDs of the principals, by the resource's ID. */
  readonly #principals = new Map<string, string>();

  constructor(private readonly tenant: Tenant) {}

  /**
   * Gives the resource the identity that a request asks for, or takes it away.
   *
   * @returns the identity as Resource Manager shows it: who it is beside what was asked for.
   * A provider reads its principal there, to give it roles.
   */
  assign(resource: Resource, wanted: unknown): unknown {
    const type = textAt(wanted, "type") ?? "None";
    if (!/SystemAssigned/i.test(type)) this.remove(resource.id);
    if (!isObject(wanted) || /^None$/i.test(type)) return undefined;
    const { principalId: _, tenantId: __, ...told } = wanted;
    if (!/SystemAssigned/i.test(type)) return told;
    const { objectId: principalId, tenantId } = this.#ensurePrincipal(resource);
    return { ...told, principalId, tenantId };
  }

  /** Object ID of the principal of a resource's own identity, where it has one. */
  principalOf(resourceId: string): string | undefined {
    return this.#principals.get(scopeKey(resourceId));
  }

  /** The principal goes with its resource. */
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
