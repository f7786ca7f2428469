import { fileURLToPath } from "node:url";
import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput, TerraformStack, Token } from "cdktf";
import {
  CloudEventGridBinding,
  CloudEventGridTopic,
  WebhookApplication,
} from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { orders } from "./events.js";
import { ServiceProcess } from "./service-process.js";

export interface OrdersStackProps {
  cloudTenantId: string;
  cloudSubscriptionId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  cloudAuthorityHost?: string;
  /** Public URL of the webhook, and the port behind it. */
  subscriberEndpoint: string;
  handshakePort: string;
  /** How often Event Grid tries to deliver an event. */
  maxDeliveryAttempts?: number;
  /** File for the log of the service's process. */
  logFile: string;
}

/** Everything the shop needs to publish and receive orders. */
export class OrdersStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: OrdersStackProps) {
    super(scope, id);
    const { logFile, maxDeliveryAttempts = 30, ...place } = props;
    new AzurermProvider(this, "azurerm", {
      features: [{}],
      subscriptionId: place.cloudSubscriptionId,
      resourceProviderRegistrations: "none", // the binding adds Event Grid
    });
    new AzureadProvider(this, "azuread", { tenantId: place.cloudTenantId });

    const group = new ResourceGroup(this, "group", { name: "shop", location: "westeurope" });
    const topic = new CloudEventGridTopic(this, "topic", {
      resourceGroupName: group.name,
      location: group.location,
      // The service is a process on this machine, which has no managed identity.
      localAuthEnabled: true,
    });
    const application = new WebhookApplication(this, "webhook", { displayName: "orders webhook" });
    const binding = new CloudEventGridBinding(this, "orders", {
      ...place,
      direction: "input, output",
      application,
      scope: topic.id,
      events: orders,
      topicEndpoint: topic.endpoint,
      accessKey: topic.accessKey,
      retryPolicy: { maxDeliveryAttempts },
    });

    // The compute that serves the webhook is a process on this machine; on Azure it would be a
    // container app, for example. It must run before the subscription is created, because Event
    // Grid then sends the handshake.
    const environment = binding.runtimeEnvironment("ORDERS").forAppSettings();
    const service = new ServiceProcess(this, "service", {
      module: fileURLToPath(new URL("service.ts", import.meta.url)),
      environment,
      port: place.handshakePort,
      logFile,
    });
    binding.waitFor(service);

    new TerraformOutput(this, "environment", {
      value: Token.asAny(environment),
      sensitive: true,
      staticId: true,
    });
  }
}
