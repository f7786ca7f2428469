export { CollectedCounter } from "./collected-counter.js";
export { DeliveryLog, logProblems } from "./delivery-log.js";
export { type EventContext, type EventHandler, RejectEvent } from "./event-context.js";
export type { EventDelivery, Outcome, VerifiedCaller } from "./event-delivery.js";
export { ExpectedSource } from "./expected-source.js";
export {
  type EventDependencies,
  handleEvents,
  isMalformed,
  timeOutUnfinished,
} from "./handle-events.js";
export {
  defineHandlers,
  type EventHandlers,
  HandlerSlots,
  HandlerTable,
  handlerProblems,
} from "./handlers.js";
export {
  type AnyMiddleware,
  type Middleware,
  MiddlewareError,
  withMiddleware,
} from "./middleware.js";
export {
  type HandlingOptions,
  handlingOptions,
  type ProcessOptions,
  processOptions,
} from "./options.js";
export { HandlingMetrics, senderOf } from "./telemetry.js";
