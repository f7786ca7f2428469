export { Counter } from "./counter.js";
export {
  type AcceptedEvent,
  type DeliveryProgress,
  type EventContent,
  type InputSchema,
  type Offer,
  valueAt,
} from "./event.js";
export { History } from "./history.js";
export { elementsOf } from "./json-text.js";
export {
  type DeliverySchema,
  deliveredJson,
  deliverySchemas,
  systemDeliverySchemas,
} from "./schemas.js";
