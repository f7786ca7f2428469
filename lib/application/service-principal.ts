import { DataAzureadClientConfig } from "@cdktf/provider-azuread/lib/data-azuread-client-config/index.js";
import {
  ServicePrincipal,
  type ServicePrincipalConfig,
} from "@cdktf/provider-azuread/lib/service-principal/index.js";
import type { TerraformProvider } from "cdktf";
import type { Construct } from "constructs";
import { OncePerStack, withAlias } from "../terraform/index.js";

const callers = new OncePerStack<DataAzureadClientConfig>("azuread caller");

/**
 * Creates the service principal of an application, owned by the identity that creates it.
 *
 * Without owners the provider removes that identity from the owners, which then could not destroy the
 * principal with the permission `Application.ReadWrite.OwnedBy`. Later changes of the owners are
 * ignored, because another identity may apply next.
 */
export function createServicePrincipal(
  scope: Construct,
  id: string,
  azuread: TerraformProvider | undefined,
  config: Pick<ServicePrincipalConfig, "clientId" | "dependsOn">,
): ServicePrincipal {
  const provider = azuread && { provider: azuread };
  const callerId = withAlias("directory-caller", azuread?.alias);
  const caller = callers.get(scope, callerId, (home) => {
    return new DataAzureadClientConfig(home, callerId, { ...provider });
  });
  return new ServicePrincipal(scope, id, {
    ...config,
    owners: [caller.objectId],
    lifecycle: { ignoreChanges: ["owners"] },
    ...provider,
  });
}
