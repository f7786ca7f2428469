import { TerraformOutput, Token } from "cdktf";
import { CloudEventGridBinding, CloudEventGridTopic } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import type { Place } from "../place.js";
import { orders } from "./events.js";

export interface KubernetesStackProps extends Place {
  /**
   * Whether Terraform waits for the ingress to answer.
   *
   * @default true
   */
  readonly webhookProbe?: boolean;
  /**
   * Set after a failed handshake: `"adopt"` for one apply, then `"adopted"`.
   *
   * @default the stack creates the subscription
   */
  readonly existingSubscription?: "adopt" | "adopted";
}

/** Topic and subscription for a service that is deployed by separate manifests. */
export class KubernetesStack extends ExampleStack {
  constructor(scope: Construct, id: string, props: KubernetesStackProps) {
    super(scope, id, props);
    const where = this.resourceGroup();
    const { webhookProbe = true, ...rest } = props;
    const topic = new CloudEventGridTopic(this, "topic", where);
    const binding = new CloudEventGridBinding(this, "orders", {
      ...rest,
      scope: topic.id,
      events: orders,
      webhookProbe,
    });

    // The ingress rewrites the public path to the path that the listener serves.
    const { variables } = binding.runtimeEnvironment("ORDERS", { path: "/api/events" });
    new TerraformOutput(this, "environment", { value: Token.asAny(variables), staticId: true });
  }
}
