import { SignalrService } from "@cdktf/provider-azurerm/lib/signalr-service/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../../example-stack.js";
import type { Place } from "../../place.js";
import { connections } from "./events.js";

/** A SignalR service, and a subscription to its connections. */
export class RealTimeMessagingStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const service = new SignalrService(this, "service", {
      ...where,
      name: "example-chat",
      sku: { name: "Standard_S1", capacity: 1 },
      serviceMode: "Serverless", // the mode "Default" raises no events
    });
    const binding = new CloudEventGridBinding(this, "connections", {
      ...place,
      ...sources.realTimeMessaging(service, { events: connections, hub: "chat" }),
    });
    this.outputEnvironment(binding, "CHAT");
  }
}
