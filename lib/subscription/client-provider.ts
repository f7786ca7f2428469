import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import type { TerraformProvider } from "cdktf";
import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";
import { identityOf, OncePerStack, shortHash } from "../terraform/index.js";

/** The credentials that a subscription is written with. */
export interface ClientCredentials {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  readonly cloudClientId: string;
  readonly cloudClientSecret: string;
  readonly cloudEnvironment: CloudEnvironmentName;
}

/** A provider of a client, and the secret that it signs in with. */
interface ClientProvider {
  readonly provider: AzurermProvider;
  readonly secret: string;
}

const clientProviders = new OncePerStack<ClientProvider>("client-provider");

/**
 * An azurerm provider that signs in as the webhook's own application, one for all bindings of the
 * stack that have the same one. It registers nothing: the application has no right to.
 */
export function clientProvider(construct: Construct, client: ClientCredentials): TerraformProvider {
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
      // What the deployer's environment says of other ways to sign in is not meant for the client.
      useCli: false,
      useMsi: false,
      useOidc: false,
    });
    return { provider, secret };
  });
  if (made.secret !== secret) {
    construct.node.addValidation({ validate: () => [OTHER_SECRET] });
  }
  return made.provider;
}

const OTHER_SECRET =
  "cloudClientSecret differs from that of another binding of the stack with the same " +
  "cloudClientId: the event subscriptions are written through one provider, so give both the same";
