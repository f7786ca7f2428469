export * from "./attempt-sender.js";
export * from "./dead-letters.js";
export * from "./delivery-attempt.js";
export { DeliverySlots } from "./delivery-slots.js";
export * from "./push-subscriber.js";
export * from "./retry-policy.js";
export * from "./stages.js";
