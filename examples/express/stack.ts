import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import type { Place } from "../place.js";
import { orders } from "./events.js";

/** Topic and subscription for an app that is deployed separately. */
export class ExpressStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const topic = new CloudEventGridTopic(this, "topic", this.resourceGroup());
    const binding = new CloudEventGridBinding(this, "orders", {
      ...place,
      scope: topic.id,
      events: orders,
    });
    this.outputEnvironment(binding, "ORDERS");
  }
}
