import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput, TerraformStack, Token } from "cdktf";
import type { CloudEventGridBinding } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import type { Place } from "./place.js";

/** The base of the example stacks: both providers, a resource group, the output `environment`. */
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

  /** Adds a resource group named after the stack. */
  protected resourceGroup(): { readonly resourceGroupName: string; readonly location: string } {
    const { name, location } = new ResourceGroup(this, "group", {
      name: this.node.id,
      location: "westeurope",
    });
    return { resourceGroupName: name, location };
  }

  /** Adds an output with the variables that the service needs. */
  protected outputEnvironment(
    binding: CloudEventGridBinding,
    prefix: string,
    options?: { readonly path: string },
  ): void {
    new TerraformOutput(this, "environment", {
      // An object that is no token makes cdktf call util.isArray, which Node warns of since 22.
      value: Token.asAny(binding.runtimeEnvironment(prefix, options).forAppSettings()),
      sensitive: true,
      staticId: true,
    });
  }
}
