import { ServicebusNamespace } from "@cdktf/provider-azurerm/lib/servicebus-namespace/index.js";
import { ServicebusSubscription } from "@cdktf/provider-azurerm/lib/servicebus-subscription/index.js";
import { ServicebusTopic } from "@cdktf/provider-azurerm/lib/servicebus-topic/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../../example-stack.js";
import type { Place } from "../../place.js";
import { waiting } from "./events.js";

/** A Service Bus topic, and a subscription to waiting messages. */
export class MessageQueueStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const namespace = new ServicebusNamespace(this, "namespace", {
      ...where,
      name: "example-messages",
      sku: "Premium", // other tiers raise no events
      capacity: 1,
      premiumMessagingPartitions: 1,
    });
    const topic = new ServicebusTopic(this, "topic", { name: "orders", namespaceId: namespace.id });
    const subscription = new ServicebusSubscription(this, "subscription", {
      name: "billing",
      topicId: topic.id,
      maxDeliveryCount: 10,
    });
    const binding = new CloudEventGridBinding(this, "waiting", {
      ...place,
      ...sources.messageQueue(namespace, { events: waiting, topic, subscription }),
    });
    this.outputEnvironment(binding, "QUEUE");
  }
}
