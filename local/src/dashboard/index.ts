export { dashboardRoute } from "./dashboard-route.js";
export type {
  ActivityRow,
  DeadLetterDetails,
  EventDetails,
  FaultDetails,
  LiveMessage,
  NamespaceDetails,
  ReceivedEventDetails,
  Resources,
  SubscriptionDetails,
  TopicDetails,
} from "./protocol.js";
