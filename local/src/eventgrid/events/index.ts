export { BoundedHistory, MAX_HISTORY_BYTES } from "./bounded-history.js";
export {
  type AcceptedEvent,
  type DeliveryProgress,
  type EventContent,
  type EventOrigin,
  type EventRecord,
  type InputSchema,
  type Offer,
  type UnreadySubscription,
  valueAt,
} from "./event.js";
export { elementsOf, membersOf, sortedJson } from "./json-text.js";
export {
  type DeliverySchema,
  deliveredJson,
  deliverySchemas,
  systemDeliverySchemas,
} from "./schemas.js";
