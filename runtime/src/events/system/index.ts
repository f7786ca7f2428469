export * from "./event-types.js";
export type * from "./payloads/index.js";
export { eventTypesByResourceType, resourceManagerEventTypes } from "./resource-types.js";
export { systemEvents } from "./system-events.js";
