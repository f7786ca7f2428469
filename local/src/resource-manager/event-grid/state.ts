import type {
  DeliveryMetrics,
  EventSubscriptions,
  Namespaces,
  Topics,
} from "../../eventgrid/index.js";
import type { ResourceState } from "../engine/index.js";

/** Event Grid's own stores, shared by Resource Manager and code. */
export interface EventGridStores {
  readonly topics: Topics;
  readonly domains: Topics;
  readonly namespaces: Namespaces;
  readonly eventSubscriptions: EventSubscriptions;
  readonly metrics: DeliveryMetrics;
}

/** The state of the subscription with Event Grid's resources. */
export interface EventGridState extends ResourceState, EventGridStores {
  /** Name of the storage account behind the cloud, such as Azurite's: it exists in every group. */
  readonly connectedAccount?: string | undefined;
}
