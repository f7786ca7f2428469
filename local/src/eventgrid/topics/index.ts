export { type InputSchemaMapping, mappingIn } from "./input-schema-mapping.js";
export type { PublishError } from "./publish-error.js";
export { type PublishedEvent, publishRoute } from "./publish-route.js";
export { type RecordedSchema, readRecordedEvent } from "./recorded-event.js";
export {
  type NewTopic,
  Topic,
  Topics,
  topicSchema,
} from "./topics.js";
