export { Counter } from "./counter.js";
export { type AcceptedEvent, type CloudEvent, type Offer, valueAt } from "./event.js";
export { History } from "./history.js";
