import { fileURLToPath } from "node:url";
import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import { ResourceGroup } from "@cdktf/provider-azurerm/lib/resource-group/index.js";
import { TerraformOutput, TerraformStack } from "cdktf";
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
  /** Set where the tokens come from a local Azure. */
  cloudAuthorityHost?: string;
  /** Public URL of the webhook, and the local port behind it. */
  subscriberEndpoint: string;
  handshakePort: string;
  /** File for the log of the service's process. */
  logFile: string;
}

/** Everything the shop's service needs to publish orders and to have them delivered. */
export class OrdersStack extends TerraformStack {
  readonly binding: CloudEventGridBinding;

  constructor(scope: Construct, id: string, props: OrdersStackProps) {
    super(scope, id);
    const subscriptionId = props.cloudSubscriptionId;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: props.cloudTenantId });

    const group = new ResourceGroup(this, "group", { name: "shop", location: "westeurope" });
    const topic = new CloudEventGridTopic(this, "topic", {
      resourceGroupName: group.name,
      location: group.location,
    });
    const application = new WebhookApplication(this, "webhook", { displayName: "orders webhook" });

    this.binding = new CloudEventGridBinding(this, "orders", {
      direction: "input, output",
      cloudTenantId: props.cloudTenantId,
      cloudSubscriptionId: props.cloudSubscriptionId,
      ...(props.cloudAuthorityHost && { cloudAuthorityHost: props.cloudAuthorityHost }),
      application,
      subscriberEndpoint: props.subscriberEndpoint,
      handshakePort: props.handshakePort,
      scope: topic.id,
      events: orders,
      topicEndpoint: topic.endpoint,
      accessKey: topic.accessKey,
    });

    const environment = this.binding.runtimeEnvironment("ORDERS");

    // The compute that serves the webhook: here a process on this machine, on Azure a container
    // app or the like. It is up before the event subscription, whose creation shakes hands with it.
    const service = new ServiceProcess(this, "service", {
      module: fileURLToPath(new URL("service.ts", import.meta.url)),
      environment: environment.forAppSettings(),
      port: props.handshakePort,
      logFile: props.logFile,
    });
    this.binding.waitFor(service);

    new TerraformOutput(this, "environment", {
      value: environment.forAppSettings(),
      sensitive: true,
      staticId: true,
    });
  }
}
