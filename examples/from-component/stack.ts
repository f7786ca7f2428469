import { Annotations } from "cdktf";
import { CloudEventGridBinding } from "cloud-eventgrid-binding";
import { readComponentDocument } from "cloud-eventgrid-binding-runtime/document";
import type { Construct } from "constructs";
import { ExampleStack } from "../example-stack.js";
import { orders } from "./events.js";

export interface FromComponentStackProps {
  /** The component document's text. */
  readonly document: string;
  /** `"adopt"` for the first apply, `"adopted"` from then on. */
  readonly existingSubscription: "adopt" | "adopted";
  /** Set where the tokens come from a local Azure. */
  readonly cloudAuthorityHost?: string;
}

/** What a sidecar was configured with, taken over by Terraform. */
export class FromComponentStack extends ExampleStack {
  constructor(scope: Construct, id: string, stackProps: FromComponentStackProps) {
    const { document, ...options } = stackProps;
    const { name, props, warnings } = readComponentDocument(document, {
      direction: "input",
      writer: "deployer", // the client secret is not needed any more
      existingSubscription: true,
    });
    super(scope, id, props);
    for (const { message } of warnings) Annotations.of(this).addInfo(message);

    const binding = new CloudEventGridBinding(this, name, { ...props, ...options, events: orders });
    this.outputEnvironment(binding, "ORDERS");
  }
}
