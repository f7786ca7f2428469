import { RedisCache } from "@cdktf/provider-azurerm/lib/redis-cache/index.js";
import { CloudEventGridBinding, sources } from "cloud-eventgrid-binding";
import type { Construct } from "constructs";
import { ExampleStack } from "../../example-stack.js";
import type { Place } from "../../place.js";
import { maintenance } from "./events.js";

/** A cache, and a subscription to its maintenance events. */
export class CacheStack extends ExampleStack {
  constructor(scope: Construct, id: string, place: Place) {
    super(scope, id, place);
    const where = this.resourceGroup();
    const cache = new RedisCache(this, "cache", {
      ...where,
      name: "example-cache",
      family: "C",
      capacity: 1,
      skuName: "Standard",
    });
    const binding = new CloudEventGridBinding(this, "maintenance", {
      ...place,
      ...sources.cache(cache, { events: maintenance }),
    });
    this.outputEnvironment(binding, "CACHE");
  }
}
