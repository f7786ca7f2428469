import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { StackParts, withAlias } from "./stack-parts.js";

/** Object ID of whoever applies the stack, as its azurerm provider knows it. */
export function callerObjectId(
  construct: Construct,
  azurerm: TerraformProvider | undefined,
): string {
  const parts = StackParts.of(construct);
  const id = withAlias("caller", azurerm?.alias);
  return parts.callers.get(id, () => {
    return new DataAzurermClientConfig(parts, id, azurerm ? { provider: azurerm } : {});
  }).objectId;
}
