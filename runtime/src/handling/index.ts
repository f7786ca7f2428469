export type { EventClaims } from "./deduplication.js";
export * from "./delivery-log.js";
export * from "./event-context.js";
export * from "./handle-events.js";
export { defineHandlers, type EventHandlers, handlerProblems } from "./handlers.js";
export {
  type AnyMiddleware,
  type Middleware,
  MiddlewareError,
  withMiddleware,
} from "./middleware.js";
export * from "./options.js";
export * from "./store.js";
export { HandlingMetrics, senderOf } from "./telemetry.js";
