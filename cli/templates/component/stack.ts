import { AzureadProvider } from "@cdktf/provider-azuread/lib/provider/index.js";
import { AzurermProvider } from "@cdktf/provider-azurerm/lib/provider/index.js";
import {
  TerraformOutput,
  TerraformStack,
  TerraformVariable, // if secrets
  Token,
} from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { component } from "./component.js";
import { events } from "./src/events.js"; // if known-events

export interface OrdersStackProps {
  readonly cloudTenantId: string;
  readonly cloudSubscriptionId: string;
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost: string | undefined;
  /** Whether to write the event subscription: Event Grid then sends the service a handshake. */ // if receives
  readonly subscribed: boolean; // if receives
  /** `"adopt"` for the first apply, `"adopted"` from then on. */ // if adopt
  readonly existingSubscription: "adopt" | "adopted"; // if adopt
}

/** What the binding of the component document needs in Azure. */
export class OrdersStack extends TerraformStack {
  constructor(scope: Construct, id: string, props: OrdersStackProps) {
    super(scope, id);
    const { cloudTenantId, cloudSubscriptionId } = props;
    new AzurermProvider(this, "azurerm", { features: [{}], subscriptionId: cloudSubscriptionId });
    new AzureadProvider(this, "azuread", { tenantId: cloudTenantId });
    const secret = { type: "string", sensitive: true }; // if secrets
    const endpoint = new TerraformVariable(this, "subscriber_endpoint", secret); // if secret-endpoint
    const accessKey = new TerraformVariable(this, "access_key", secret); // if publishes

    const binding = new CloudEventGridBinding(this, "binding", {
      direction: "input, output",
      ...component,
      cloudTenantId, // if receives
      cloudSubscriptionId, // if receives
      cloudAuthorityHost: props.cloudAuthorityHost, // if receives
      subscriberEndpoint: endpoint.stringValue, // if secret-endpoint
      accessKey: accessKey.stringValue, // if publishes
      events, // if known-events
      subscribed: props.subscribed, // if receives
      existingSubscription: props.existingSubscription, // if adopt
      // The component could not write its subscription without them. // if adopt
      existingAssignments: ["eventGrid", "client", "clientAtScope"], // if adopt
    });

    const environment = binding.runtimeEnvironment("ORDERS", {
      name: "orders",
      path: "/api/events", // if receives
    });
    const variables = environment.forAppSettings();
    const dotenv = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const hidden = { sensitive: true, staticId: true };
    new TerraformOutput(this, "environment", { value: Token.asAny(variables), ...hidden });
    new TerraformOutput(this, "dotenv", { value: dotenv.join("\n"), ...hidden });
    binding.addOutputs("orders"); // if receives
  }
}
