import { PrivateEndpoint } from "@cdktf/provider-azurerm/lib/private-endpoint/index.js";
import type { TerraformProvider } from "cdktf";
import { azureRules, isObject } from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { defined, identityInAnyCase, shortHash, tagged } from "../terraform/index.js";
import { defaultName, group, listOf, literal, repeated, required } from "../validation/index.js";

/** A private address of a topic or a namespace in a virtual network of the same region. */
export interface PrivateEndpointProps {
  /** Resource ID of the subnet. */
  readonly subnetId: string;
  /**
   * Resource IDs of the zones `privatelink.eventgrid.azure.net` in which the host name resolves to the
   * private address.
   *
   * @default none: the network's own DNS knows the address
   */
  readonly privateDnsZoneIds?: readonly string[];
}

export const privateEndpointsCheck = literal(
  listOf(
    group<PrivateEndpointProps>({
      subnetId: required(azureRules.resourceId),
      privateDnsZoneIds: listOf(azureRules.resourceId),
    }),
    {
      together: (endpoints, field) =>
        repeated(
          endpoints.map((one) => (isObject(one) ? String(one.subnetId).toLowerCase() : undefined)),
          (i) => `${field}[${i}].subnetId`,
        ),
    },
  ),
);

export interface PrivateTarget {
  readonly resourceId: string;
  readonly resourceGroupName: string;
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly azurerm: TerraformProvider | undefined;
}

/** Creates the private endpoints of a topic or a namespace, one for each subnet. */
export function createPrivateEndpoints(
  owner: Construct,
  { resourceId, resourceGroupName, location, tags, azurerm }: PrivateTarget,
  endpoints: readonly PrivateEndpointProps[] = [],
): void {
  for (const { subnetId, privateDnsZoneIds } of endpoints) {
    // By the subnet and not by its place in the list, so that removing one replaces no other.
    const id = `private-endpoint-${shortHash(identityInAnyCase(owner, subnetId))}`;
    // Validation reports a second one.
    if (owner.node.tryFindChild(id) !== undefined) continue;
    const name = `${defaultName(owner, "privateEndpoint")}-${id.slice(-8)}`;
    new PrivateEndpoint(owner, id, {
      name,
      resourceGroupName,
      location,
      subnetId,
      privateServiceConnection: {
        name,
        privateConnectionResourceId: resourceId,
        // A namespace has another one, for MQTT.
        subresourceNames: ["topic"],
        isManualConnection: false,
      },
      ...(privateDnsZoneIds && {
        privateDnsZoneGroup: { name: "event-grid", privateDnsZoneIds: [...privateDnsZoneIds] },
      }),
      ...tagged(tags),
      ...defined({ provider: azurerm }),
    });
  }
}
