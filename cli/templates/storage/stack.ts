import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { StorageContainer } from "@cdktf/provider-azurerm/lib/storage-container/index.js";
import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js"; // if stack-identity
import { TerraformOutput, TerraformStack, Token } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic, // if both
  sources,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ServiceApp } from "./container-app.js"; // if container-apps
import { events } from "./src/events.js";
import { createStorage } from "./storage.js";

export interface OrdersStackProps {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost: string | undefined;
  /** The container image of the service. */ // if container-apps
  readonly image: string; // if container-apps
  /** Whether to create the event subscription: Event Grid then sends a handshake to the service. */
  readonly subscribed: boolean;
}

/** A storage account, and the event subscription that tells the service about its blobs. */
export class OrdersStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: OrdersStackProps) {
    super(scope, id);
    const { cloudTenantId, cloudSubscriptionId, cloudAuthorityHost, subscribed } = props;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: cloudSubscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: cloudTenantId });
    const group = new ResourceGroup(this, "group", { name: "orders", location: "westeurope" });
    const where = { resourceGroupName: group.name, location: group.location };

    const topic = new CloudEventGridTopic(this, "topic", where); // if both
    const { account, deadLetters } = createStorage(this, { ...where, cloudSubscriptionId });
    const uploads = new StorageContainer(this, "uploads", {
      name: "uploads",
      storageAccountId: account.id,
    });
    const service = new ServiceApp(this, "service", { ...where, image: props.image }); // if container-apps
    topic.grantPublish(service.principalId); // if app-identity
    const identity = new UserAssignedIdentity(this, "identity", { ...where, name: "orders" }); // if stack-identity
    topic.grantPublish(identity.principalId); // if stack-identity
    const binding = new CloudEventGridBinding(this, "orders-binding", {
      direction: "input, output",
      cloudTenantId,
      cloudSubscriptionId,
      cloudAuthorityHost,
      application: new WebhookApplication(this, "webhook", { displayName: "orders webhook" }),
      subscriberEndpoint: "https://orders.example.com/api/events",
      handshakePort: "9000",
      ...sources.objectStorage(account, { container: uploads, events }),
      deadLetter: { storageAccount: account, container: deadLetters },
      topicEndpoint: topic.endpoint, // if both
      publishWith: "entra", // if both
      subscribed,
    });

    const environment = binding.runtimeEnvironment("ORDERS", {
      name: "orders",
      path: "/api/events",
    });
    service.run(binding, environment); // if container-apps
    const variables = environment.forAppSettings();
    const dotenv = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    dotenv.push(`AZURE_CLIENT_ID=${identity.clientId}`); // if stack-identity
    const hidden = { sensitive: true, staticId: true };
    new TerraformOutput(this, "environment", { value: Token.asAny(variables), ...hidden });
    new TerraformOutput(this, "dotenv", { value: dotenv.join("\n"), ...hidden });
    new TerraformOutput(this, "storage_account_id", { value: account.id, staticId: true });
    binding.addOutputs("orders");
  }
}
