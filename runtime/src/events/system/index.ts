export * from "./event-types.js";
export type { SystemEventPayloads } from "./payloads/index.js";
export { eventTypesByResourceType, resourceManagerEventTypes } from "./resource-types.js";
export { type SystemEvent, systemEvents } from "./system-events.js";
