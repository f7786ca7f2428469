export {
  addEventSubscriptionLists,
  deadLetterProblem,
  deliveryProblem,
  eventSubscriptionResources,
  namespaceDeadLetterProblem,
} from "./event-subscriptions/index.js";
export { addMetricsRoute, intervals } from "./metrics.js";
export { namespaceResources, namespaceType } from "./namespace-resources.js";
export { privateEndpointTypes, withPrivateLinks } from "./private-endpoints.js";
export type { EventGridState, EventGridStores } from "./state.js";
export {
  DOMAIN_TYPE,
  domainTopicResources,
  extensionTopicResources,
  systemTopicResources,
  TOPIC_TYPE,
  topicResources,
} from "./topic-resources.js";
export { addTopicTypeRoutes } from "./topic-types.js";
