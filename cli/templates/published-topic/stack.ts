import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { TerraformOutput, TerraformStack, Token } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";

export interface OrdersStackProps {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost: string | undefined;
}

/** A topic, and the binding that publishes to it. */
export class OrdersStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: OrdersStackProps) {
    super(scope, id);
    const { cloudTenantId, cloudSubscriptionId } = props;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: cloudSubscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: cloudTenantId });
    const group = new ResourceGroup(this, "group", { name: "orders", location: "westeurope" });
    const where = { resourceGroupName: group.name, location: group.location };

    const topic = new CloudEventGridTopic(this, "topic", where);
    // The identity of the service.
    const identity = new UserAssignedIdentity(this, "identity", { ...where, name: "orders" });
    topic.grantPublish(identity.principalId);
    const binding = new CloudEventGridBinding(this, "binding", {
      direction: "output",
      topicEndpoint: topic.endpoint,
      publishWith: "entra",
    });

    const variables = binding.runtimeEnvironment("ORDERS", { name: "orders" }).forAppSettings();
    const dotenv = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    dotenv.push(`AZURE_CLIENT_ID=${identity.clientId}`);
    const hidden = { sensitive: true, staticId: true };
    new TerraformOutput(this, "environment", { value: Token.asAny(variables), ...hidden });
    new TerraformOutput(this, "dotenv", { value: dotenv.join("\n"), ...hidden });
    new TerraformOutput(this, "topic_name", { value: topic.resource.name, staticId: true });
  }
}
