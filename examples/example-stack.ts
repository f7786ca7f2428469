import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput, TerraformStack } from "cdktf";
import type { CloudEventGridBinding } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import type { Place } from "./place.js";

/** What the stacks have in common. */
export class ExampleStack extends TerraformStack {
  constructor(
    scope: Construct,
    id: string,
    place: Pick<Place, "cloudTenantId" | "cloudSubscriptionId">,
  ) {
    super(scope, id);
    new AzurermProvider(this, "azurerm", {
      features: [{}],
      subscriptionId: place.cloudSubscriptionId,
    });
    new AzureadProvider(this, "azuread", { tenantId: place.cloudTenantId });
  }

  /** Makes a resource group, and says where it is. */
  protected resourceGroup(): { readonly resourceGroupName: string; readonly location: string } {
    const { name, location } = new ResourceGroup(this, "group", {
      name: this.node.id,
      location: "westeurope",
    });
    return { resourceGroupName: name, location };
  }

  /** Puts out what the service needs in its environment. */
  protected outputEnvironment(
    binding: CloudEventGridBinding,
    prefix: string,
    options?: { readonly path: string },
  ): void {
    new TerraformOutput(this, "environment", {
      value: binding.runtimeEnvironment(prefix, options).forAppSettings(),
      sensitive: true,
      staticId: true,
    });
  }
}
