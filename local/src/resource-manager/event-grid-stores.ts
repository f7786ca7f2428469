import type { EventSubscriptions } from "../eventgrid/subscriptions/index.js";
import type { Topics } from "../eventgrid/topics/index.js";

/** What Event Grid keeps itself; code and Resource Manager act on the same. */
export interface EventGridStores {
  readonly topics: Topics;
  readonly eventSubscriptions: EventSubscriptions;
}
