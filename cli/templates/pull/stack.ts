import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { DataAzurermClientConfig } from "@cdktf/provider-azurerm/lib/data-azurerm-client-config/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput, TerraformStack, Token } from "cdktf";
import { CloudEventGridNamespace, CloudEventGridPullBinding } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ReceiverApp } from "./receiver-app.js"; // if container-apps
import { events } from "./src/events.js";
import { createStorage } from "./storage.js";

export interface OrdersStackProps {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost: string | undefined;
  /** The container image of the service. */ // if container-apps
  readonly image: string; // if container-apps
  /** Object ID of the identity that the service has. */ // if own-identity
  readonly receiver: string; // if own-identity
}

/** A namespace with a topic, and the event subscription from which the service pulls its events. */
export class OrdersStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: OrdersStackProps) {
    super(scope, id);
    const { cloudTenantId, cloudSubscriptionId, cloudAuthorityHost } = props;
    const isLocal = cloudAuthorityHost !== undefined;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: cloudSubscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: cloudTenantId });
    const group = new ResourceGroup(this, "group", { name: "orders", location: "westeurope" });
    const where = { resourceGroupName: group.name, location: group.location };

    const namespace = new CloudEventGridNamespace(this, "events", where);
    const { account, deadLetters } = createStorage(this, { ...where, cloudSubscriptionId });
    const service = new ReceiverApp(this, "service", { ...where, image: props.image }); // if container-apps
    // With a local Azure, whoever deploys runs the service.
    let receiver = new DataAzurermClientConfig(this, "deployer").objectId;
    if (!isLocal) receiver = service.principalId; // if container-apps
    if (!isLocal) receiver = props.receiver; // if own-identity
    const binding = new CloudEventGridPullBinding(this, "binding", {
      topic: namespace.addTopic("orders"),
      eventSubscriptionName: "orders",
      events,
      receiver,
      deadLetter: { storageAccount: account, container: deadLetters },
      roleEffectSeconds: isLocal ? 0 : 60,
    });

    const environment = binding.runtimeEnvironment("ORDERS", {
      name: "orders",
      ...(isLocal && { cloudAuthorityHost }),
    });
    service.run(environment); // if container-apps
    const variables = environment.forAppSettings();
    const dotenv = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const hidden = { sensitive: true, staticId: true };
    new TerraformOutput(this, "environment", { value: Token.asAny(variables), ...hidden });
    new TerraformOutput(this, "dotenv", { value: dotenv.join("\n"), ...hidden });
    new TerraformOutput(this, "namespace_id", { value: namespace.id, staticId: true });
  }
}
