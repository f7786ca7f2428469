import { type Reachable, signIn } from "../local/support/management-client.js";

/** ID of the virtual network of {@link createNetwork}. */
export function networkId({ subscriptionId }: { readonly subscriptionId: string }): string {
  const group = `/subscriptions/${subscriptionId}/resourceGroups/network`;
  return `${group}/providers/Microsoft.Network/virtualNetworks/shop`;
}

/**
 * Creates a virtual network with the subnet `services`, as another team would. The stand-in of a
 * private endpoint does not ask for its subnet; the real provider and the local Azure do.
 */
export async function createNetwork(
  cloud: Reachable & { readonly subscriptionId: string },
): Promise<void> {
  const call = await signIn(cloud);
  const id = networkId(cloud);
  const location = "westeurope";
  await call("PUT", id.slice(0, id.indexOf("/providers/")), { location });
  await call("PUT", id, {
    location,
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "services", properties: { addressPrefix: "10.0.1.0/24" } }],
    },
  });
}
