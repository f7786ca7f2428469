export { dashboardRoute } from "./dashboard-route.js";
export { routeEndpoint } from "./endpoint-target.js";
export {
  type AttemptDetails,
  type DeadLetterDetails,
  deadLetterDetails,
  type EventDetails,
  eventDetails,
  type SubscriptionOutcome,
  shownAttempt,
} from "./event-details.js";
export { type LiveMessage, rowsAfter, streamActivity } from "./live.js";
export {
  type NamespaceDetails,
  type NamespaceSubscriptionDetails,
  namespaceDetails,
  type QueuedEventDetails,
  queuedEventDetails,
} from "./namespaces.js";
export {
  contentTypeOf,
  namespaceTargets,
  newEvent,
  type PublishTarget,
  topicTarget,
} from "./publishing.js";
export {
  type DomainDetails,
  domainDetails,
  type Resources,
  resources,
  type SubscriptionDetails,
  subscriptionDetails,
  type TopicDetails,
  topicDetails,
} from "./resources.js";
export { type ActivityRow, eventsWith, type Outcome } from "./rows.js";
export type { RunningCloud } from "./running-cloud.js";
