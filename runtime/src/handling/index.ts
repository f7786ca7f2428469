export { DeliveryLog, logProblems } from "./delivery-log.js";
export { type EventContext, type EventHandler, RejectEvent } from "./event-context.js";
export type { EventDelivery, Outcome, VerifiedCaller } from "./event-delivery.js";
export { type EventDependencies, eventDependencies } from "./event-dependencies.js";
export { ExpectedSource } from "./expected-source.js";
export { handleEvents, isMalformed, timeOutUnfinished } from "./handle-events.js";
export { defineHandlers, type EventHandlers, handlerProblems } from "./handlers.js";
export { HandlingMetrics } from "./metrics.js";
export {
  type AnyMiddleware,
  type Middleware,
  MiddlewareError,
  withMiddleware,
} from "./middleware.js";
export {
  type AnyCatalogue,
  type HandlingOptions,
  handlingOptions,
  type ProcessOptions,
  processOptions,
} from "./options.js";
export { senderOf } from "./telemetry.js";
