export {
  type DeadLetter,
  type DeadLetterReason,
  DeadLetters,
  lastAttemptIn,
  type UndeliverableEvent,
} from "./dead-letters.js";
export {
  type DeliveryAttempt,
  type DeliveryRequest,
  type DeliveryResponse,
  KeptExchanges,
} from "./delivery-attempt.js";
export {
  DeliveryMetrics,
  deliveryMetrics,
  isTopicMetric,
  type Metric,
  topicMetrics,
} from "./delivery-metrics.js";
export { DeliveryQueue, type DeliveryServices } from "./delivery-queue.js";
export { DeliveryTokens } from "./delivery-tokens.js";
export { Dispatch, RESPONSE_TIMEOUT_MS } from "./dispatch.js";
export {
  type Journal,
  noJournal,
  type PendingDelivery,
} from "./journal.js";
export { basicPolicy, namespacePolicy } from "./verdict.js";
