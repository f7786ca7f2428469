import type { SubscriptionState } from "../resources/index.js";
import type { Resources } from "./resources.js";

export interface ResourceState extends SubscriptionState {
  readonly resources: Resources;
}
