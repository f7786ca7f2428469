export { type InputSchemaMapping, mappingIn } from "./input-schema-mapping.js";
export { publishRoute } from "./publish-route.js";
export { type RecordedSchema, readRecordedEvent } from "./published-events.js";
export * from "./topics.js";
