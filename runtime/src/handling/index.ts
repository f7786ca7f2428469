export type { EventContext, EventHandler } from "./event-context.js";
export type { EventDelivery, VerifiedCaller } from "./event-delivery.js";
export { ExpectedSource } from "./expected-source.js";
export type { EventDependencies } from "./handle-event.js";
export { handleEvents, isMalformed, timeOutUnfinished } from "./handle-events.js";
export { HandlerSlots } from "./handler-slots.js";
export { defineHandlers, type EventHandlers, HandlerTable, handlerProblems } from "./handlers.js";
export type { EventMetrics, Mismatch, Outcome } from "./outcome.js";
export { RejectEvent } from "./reject-event.js";
