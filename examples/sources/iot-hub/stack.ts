import { Iothub } from "@cdktf/provider-azurerm/lib/iothub/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../../example-stack.js";
import type { Place } from "../../place.js";
import { devices } from "./events.js";

/** An IoT hub, and a subscription to the devices whose names start with `device-`. */
export class IotHubStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const hub = new Iothub(this, "hub", {
      ...where,
      name: "example-devices",
      sku: { name: "S1", capacity: 1 },
    });
    const binding = new CloudEventGridBinding(this, "devices", {
      ...place,
      ...sources.iotHub(hub, { events: devices, devicePrefix: "device-" }),
    });
    this.outputEnvironment(binding, "DEVICES");
  }
}
