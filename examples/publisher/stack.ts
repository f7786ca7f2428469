import { UserAssignedIdentity } from "@cdktf/provider-azurerm/lib/user-assigned-identity/index.js";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import type { Place } from "../place.js";

/** A topic without access keys, and an identity that may publish to it. */
export class PublisherStack extends ExampleStack {
  constructor(
    scope: Construct,
    id: string,
    place: Pick<Place, "cloudTenantId" | "cloudSubscriptionId">,
  ) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const topic = new CloudEventGridTopic(this, "topic", where);
    const identity = new UserAssignedIdentity(this, "identity", { ...where, name: "shop" });
    topic.grantPublish(identity.principalId);
    const binding = new CloudEventGridBinding(this, "orders", {
      direction: "output",
      topicEndpoint: topic.endpoint,
      publishWith: "entra",
    });
    this.outputEnvironment(binding, "ORDERS");
  }
}
