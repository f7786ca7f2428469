export {
  basicDeadLetters,
  type DeadLetter,
  type DeadLetterReason,
  DeadLetters,
  type DeadLetterTarget,
  lastAttemptIn,
  type UndeliverableEvent,
} from "./dead-letters.js";
export {
  AttemptHistory,
  type DeliveryAttempt,
  type DeliveryRequest,
  type DeliveryResponse,
} from "./delivery-attempt.js";
export { DeliveryQueue, type DeliveryServices } from "./delivery-queue.js";
export { Dispatch, RESPONSE_TIMEOUT_MS } from "./dispatch.js";
export {
  Counter,
  DeliveryMetrics,
  deliveryMetrics,
  type EventEnd,
  type EventObserver,
  EventStages,
  isTopicMetric,
  type Journal,
  type Metric,
  noJournal,
  type PendingDelivery,
  PendingEvents,
  topicMetrics,
} from "./stages.js";
export { basicPolicy, namespacePolicy } from "./verdict.js";
