export * from "./encoded-events.js";
export type { EventsToCreate, EventToCreate, ReadyEvent } from "./event-to-create.js";
export * from "./invocation.js";
export * from "./prepare-events.js";
