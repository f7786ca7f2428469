import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { Construct } from "constructs";
import { clientId, SCOPE, SUBSCRIPTION, subscriptionName, TENANT, URL } from "./shop.js";

export class BindingsOfOurs extends Construct {
  constructor(scope: Construct, id: string, count: number) {
    super(scope, id);
    for (let index = 0; index < count; index += 1) {
      new CloudEventGridBinding(this, `orders-${index}`, {
        direction: "input",
        cloudTenantId: TENANT,
        cloudSubscriptionId: SUBSCRIPTION,
        cloudClientId: clientId(index),
        subscriberEndpoint: URL,
        handshakePort: "9000",
        scope: SCOPE,
        eventSubscriptionName: subscriptionName(index),
      });
    }
  }
}
