import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import type { TerraformProvider } from "cdktf";
import { problem, type ResolvedBinding } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { identityOf, OncePerStack, shortHash } from "../terraform/index.js";
import { report } from "../validation/index.js";

/** A binding whose event subscriptions its application writes. */
type ClientBinding = Extract<ResolvedBinding, { readonly writer: "client" }>;

interface ClientProvider {
  readonly provider: AzurermProvider;
  readonly secret: string;
}

const clientProviders = new OncePerStack<ClientProvider>("client-provider");

/**
 * The azurerm provider that signs in as the webhook's application: one for all bindings of the stack
 * with the same application. It registers no resource providers, because the application may not.
 */
export function clientProvider(construct: Construct, client: ClientBinding): TerraformProvider {
  const key = shortHash(
    identityOf(construct, client.cloudSubscriptionId),
    identityOf(construct, client.cloudClientId),
  );
  const secret = identityOf(construct, client.cloudClientSecret);
  const made = clientProviders.get(construct, key, (home) => {
    const provider = new AzurermProvider(home, `client-provider-${key}`, {
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
    return { provider, secret };
  });
  if (made.secret !== secret) {
    report(construct, () => [problem("cloudClientSecret", "same-client", OTHER_SECRET)]);
  }
  return made.provider;
}

const OTHER_SECRET =
  "differs from that of another binding with the same cloudClientId, but all event subscriptions of a " +
  "client are written through one provider: use the same secret for both";
