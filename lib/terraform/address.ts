import { TerraformResource, TerraformStack, Token } from "cdktf";
import type { IConstruct } from "constructs";
import { identityOf } from "./identity.js";

/** The address of a resource in Terraform. It may change until synthesis. */
export function addressOf({
  terraformResourceType,
  friendlyUniqueId,
}: Pick<TerraformResource, "terraformResourceType" | "friendlyUniqueId">): string {
  return `${terraformResourceType}.${friendlyUniqueId}`;
}

/** The resource of the stack one of whose attributes a value is: `id`; undefined for other values. */
export function resourceWith(
  construct: IConstruct,
  value: unknown,
  attribute: string,
): TerraformResource | undefined {
  if (typeof value !== "string" || !Token.isUnresolved(value)) return undefined;
  const reference = identityOf(construct, value);
  return TerraformStack.of(construct)
    .node.findAll()
    .filter(TerraformResource.isTerraformResource)
    .find((resource) => reference === `\${${addressOf(resource)}.${attribute}}`);
}
