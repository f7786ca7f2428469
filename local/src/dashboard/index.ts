export { dashboardRoute } from "./dashboard-route.js";
export {
  type ActivityRow,
  attemptOf,
  type DeadLetterDetails,
  type EventDetails,
  type FaultDetails,
  type IngressRoute,
  type LiveMessage,
  type NamespaceDetails,
  type ReceivedEventDetails,
  type Resources,
  type SubscriptionDetails,
  type TopicDetails,
} from "./protocol.js";
