export { domainTopicResources } from "./domain-topics.js";
export {
  addEventSubscriptionLists,
  addMetricsRoute,
  deadLetterProblem,
  eventSubscriptionResources,
  intervals,
  namespaceDeadLetterProblem,
} from "./event-subscriptions/index.js";
export { eventGridLists } from "./lists.js";
export { namespaceResources, namespaceType } from "./namespace-resources.js";
export {
  connectionsIn,
  PRIVATE_ENDPOINT_TYPE,
  privateEndpoints,
  privateLinkGroups,
  withPrivateLinks,
} from "./private-links.js";
export type { EventGridState, EventGridStores } from "./state.js";
export {
  extensionTopicResources,
  sourceOf,
  systemTopicResources,
  systemTopics,
} from "./system-topics.js";
export { DOMAIN_TYPE, TOPIC_TYPE, topicResources } from "./topic-resources.js";
export { addTopicTypeRoutes } from "./topic-types.js";
