import { Fn, Op, type TerraformResource, Token } from "cdktf";
import type { IConstruct } from "constructs";
import { resourceWith } from "./identity.js";
import { TerraformData } from "./terraform-data.js";
import { isPlain, operand } from "./tokens.js";

/** A resource of azurerm that may have managed identities. */
interface Identified extends TerraformResource {
  readonly identityInput?: { readonly type?: string } | undefined;
}

const PRINCIPAL = "identity[0].principal_id";
const NEW_IDENTITY = "new-identity";

/**
 * The principal of a resource's system-assigned identity, which is unknown in the plan that adds the
 * identity. azurerm plans it as null there, so that a role assignment which uses it fails.
 *
 * A `terraform_data` that is new together with the identity makes it unknown. It comes after the
 * resource: otherwise it would exist already when Terraform plans again after a failed update.
 */
export function principalOf(resource: Identified): string {
  const existing = resource.node.tryFindChild(NEW_IDENTITY);
  const { type } = resource.identityInput ?? {};
  const added =
    existing instanceof TerraformData
      ? existing
      : new TerraformData(resource, NEW_IDENTITY, {
          dependsOn: [resource],
          ...(type !== undefined && { triggersReplace: { type } }),
        });
  const principal = resource.getStringAttribute(PRINCIPAL);
  const isThere = Op.gte(Fn.lengthOf(added.getStringAttribute("id")), 1);
  // Users may put it into an expression of their own.
  return Token.asString(operand(Fn.conditional(isThere, principal, "")));
}

/** Props whose text is a principal. */
const principalProps = new Set(["principalId", "objectId", "receiver"]);

/**
 * Replaces each principal in props that is that of an identity of the stack's own resources, see
 * {@link principalOf}.
 *
 * @param name of the prop that the value belongs to
 */
export function withPrincipals<Value>(construct: IConstruct, value: Value, name?: string): Value;
export function withPrincipals(construct: IConstruct, value: unknown, name?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withPrincipals(construct, item, name));
  if (!isPlain(value))
    return principalProps.has(String(name)) ? plannedPrincipal(construct, value) : value;
  const members = Object.entries(value).map(([key, member]) => [
    key,
    withPrincipals(construct, member, key),
  ]);
  return Object.fromEntries(members);
}

function plannedPrincipal(construct: IConstruct, value: unknown): unknown {
  const resource = resourceWith(construct, value, PRINCIPAL);
  return resource?.terraformResourceType.startsWith("azurerm_") ? principalOf(resource) : value;
}
