export { type DeadLetter, DeadLetters } from "./dead-letters.js";
export {
  type DeliveryAttempt,
  type DeliveryRequest,
  type DeliveryResponse,
  KeptExchanges,
} from "./delivery-attempt.js";
export { DeliveryMetrics, deliveryMetrics } from "./delivery-metrics.js";
export { DeliveryQueue } from "./delivery-queue.js";
export { DeliveryTokens } from "./delivery-tokens.js";
export { Dispatch } from "./dispatch.js";
export {
  type Journal,
  noJournal,
  type PendingDelivery,
} from "./journal.js";
