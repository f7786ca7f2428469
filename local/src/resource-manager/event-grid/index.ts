export {
  addEventSubscriptionLists,
  addMetricsRoute,
  deadLetterProblem,
  eventSubscriptionResources,
  intervals,
  namespaceDeadLetterProblem,
} from "./event-subscriptions/index.js";
export { eventGridLists } from "./field-rules.js";
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
  DOMAIN_TYPE,
  domainTopicResources,
  extensionTopicResources,
  sourceOf,
  systemTopicResources,
  systemTopics,
  TOPIC_TYPE,
  topicResources,
} from "./topic-resources.js";
export { addTopicTypeRoutes } from "./topic-types.js";
