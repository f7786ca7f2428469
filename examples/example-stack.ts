import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput, TerraformStack } from "cdktf";
import type { CloudEventGridBinding } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import type { Place } from "./place.js";

/** What every stack begins with: the two providers, and a resource group. */
export class ExampleStack extends TerraformStack {
  /** Resource group and region of whatever the example makes. */
  protected readonly where: { readonly resourceGroupName: string; readonly location: string };

  constructor(
    scope: Construct,
    id: string,
    place: Pick<Place, "cloudTenantId" | "cloudSubscriptionId">,
  ) {
    super(scope, id);
    new AzurermProvider(this, "azurerm", {
      features: [{}],
      subscriptionId: place.cloudSubscriptionId,
      resourceProviderRegistrations: "none", // Event Grid's is added by the binding
    });
    new AzureadProvider(this, "azuread", { tenantId: place.cloudTenantId });
    const group = new ResourceGroup(this, "group", { name: id, location: "westeurope" });
    this.where = { resourceGroupName: group.name, location: group.location };
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
