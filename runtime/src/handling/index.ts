export type { EventClaims } from "./deduplication.js";
export { DeliveryLog, logProblems } from "./delivery-log.js";
export type { Mismatch } from "./event-context.js";
export {
  type EventContext,
  type EventDelivery,
  type EventHandler,
  type Outcome,
  RejectEvent,
  type VerifiedCaller,
} from "./event-context.js";
export {
  type EventDependencies,
  eventDependencies,
  handleEvents,
  isMalformed,
  timeOutUnfinished,
} from "./handle-events.js";
export { defineHandlers, type EventHandlers, handlerProblems } from "./handlers.js";
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
export {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  MemoryDeduplication,
  type MemoryDeduplicationOptions,
  type SettledLease,
} from "./store.js";
export { HandlingMetrics, senderOf } from "./telemetry.js";
