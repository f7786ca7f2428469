import { Annotations } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import { orders } from "./events.js";

export interface FromComponentStackProps {
  /** Text of the component document. */
  readonly document: string;
  /** `"adopt"` for the first apply, `"adopted"` afterwards. */
  readonly existingSubscription: "adopt" | "adopted";
  /** Issuer of the tokens, if it is a local Azure. */
  readonly cloudAuthorityHost?: string;
}

/** Takes over the configuration and the event subscription of a sidecar. */
export class FromComponentStack extends ExampleStack {
  constructor(scope: Construct, id: string, stackProps: FromComponentStackProps) {
    const { document, ...options } = stackProps;
    const { name, props, warnings } = readComponentDocument(document, {
      direction: "input",
      writer: "deployer", // so the client secret is no longer needed
      existingSubscription: true,
    });
    super(scope, id, props);
    for (const { message } of warnings) Annotations.of(this).addInfo(message);

    const binding = new CloudEventGridBinding(this, name, { ...props, ...options, events: orders });
    this.outputEnvironment(binding, "ORDERS");
  }
}
