export type { DashboardCloud } from "./cloud.js";
export { dashboardRoute } from "./dashboard-route.js";
export { routeEndpoint } from "./endpoint-target.js";
export { deadLetterDetails, eventDetails } from "./event-details.js";
export { rowsAfter, streamActivity } from "./live.js";
export { namespaceDetails, queuedEventDetails } from "./namespaces.js";
export {
  type ActivityRow,
  attemptOf,
  type DeadLetterDetails,
  type EventDetails,
  type LiveMessage,
  type NamespaceDetails,
  type Resources,
  type SubscriptionDetails,
  type TopicDetails,
} from "./protocol.js";
export {
  contentTypeOf,
  namespaceTargets,
  newEvent,
  type PublishTarget,
  topicTarget,
} from "./publishing.js";
export { domainDetails, resources, subscriptionDetails, topicDetails } from "./resources.js";
