import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { DataResource, type TerraformProvider } from "cdktf";
import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";
import { identityOf, shortHash } from "./deterministic-id.js";
import { StackParts } from "./stack-parts.js";

/** The credentials that a subscription is written with. */
export interface ClientCredentials {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  readonly cloudClientId: string;
  readonly cloudClientSecret: string;
  readonly cloudEnvironment: CloudEnvironmentName;
}

/**
 * An azurerm provider that signs in as the webhook's own application, one for all bindings of the
 * stack that share the credentials. It registers nothing: the application has no right to.
 */
export function clientProvider(construct: Construct, client: ClientCredentials): TerraformProvider {
  const parts = StackParts.of(construct);
  const key = shortHash(
    identityOf(construct, client.cloudSubscriptionId),
    identityOf(construct, client.cloudClientId),
  );
  return parts.clientProviders.get(key, () => {
    return new AzurermProvider(parts, `client-provider-${key}`, {
      alias: `eventgrid_client_${key}`,
      features: [{}],
      tenantId: client.cloudTenantId,
      subscriptionId: client.cloudSubscriptionId,
      clientId: client.cloudClientId,
      clientSecret: client.cloudClientSecret,
      environment: client.cloudEnvironment,
      resourceProviderRegistrations: "none",
      useCli: false,
      useMsi: false,
      useOidc: false,
    });
  });
}

/** Waits until new role assignments have taken effect; a change of them makes it wait again. */
export function waitForRoles(
  construct: Construct,
  seconds: number,
  assignments: readonly { readonly id: string }[],
): DataResource {
  return new DataResource(construct, "role-effect", {
    triggersReplace: Object.fromEntries(assignments.map(({ id }, index) => [`${index}`, id])),
    provisioners: [
      {
        type: "local-exec",
        // Node is there wherever cdktf is; a shell's sleep is not.
        interpreter: ["node", "-e"],
        command: `setTimeout(() => {}, ${seconds * 1000})`,
      },
    ],
  });
}
