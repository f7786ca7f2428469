import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import type { TerraformProvider } from "cdktf";
import type { ResolvedBinding } from "cloud-eventgrid-binding-runtime/contract";
import type { Construct } from "constructs";
import { identityOf, OncePerStack, shortHash } from "../terraform/index.js";

/** A binding whose event subscriptions its application writes. */
type ClientBinding = Extract<ResolvedBinding, { readonly writer: "client" }>;

const clientProviders = new OncePerStack<AzurermProvider>("client-provider");

/**
 * The azurerm provider that signs in as the webhook's application: one for all bindings of the stack
 * with the same application. It registers no resource providers, because the application may not.
 */
export function clientProvider(construct: Construct, client: ClientBinding): TerraformProvider {
  const key = shortHash(
    identityOf(construct, client.cloudSubscriptionId),
    identityOf(construct, client.cloudClientId),
  );
  return clientProviders.get(construct, key, (home) => {
    return new AzurermProvider(home, `client-provider-${key}`, {
      alias: `eventgrid_client_${key}`,
      features: [{}],
      tenantId: client.cloudTenantId,
      subscriptionId: client.cloudSubscriptionId,
      clientId: client.cloudClientId,
      clientSecret: client.cloudClientSecret,
      environment: client.cloudEnvironment,
      resourceProviderRegistrations: "none",
      // Other credentials in the deployer's environment are not meant for the client.
      useCli: false,
      useMsi: false,
      useOidc: false,
    });
  });
}
