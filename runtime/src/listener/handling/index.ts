export type { EventContext, EventHandler } from "./event-context.js";
export { ExpectedSource } from "./expected-source.js";
export type { EventDependencies } from "./handle-event.js";
export { handleEvents, timeOutUnfinished } from "./handle-events.js";
export { HandlerSlots } from "./handler-slots.js";
export { defineHandlers, type EventHandlers, HandlerTable, handlerProblems } from "./handlers.js";
export { readEvents } from "./read-events.js";
export { RejectEvent } from "./reject-event.js";
