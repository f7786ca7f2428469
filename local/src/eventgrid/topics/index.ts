export { type InputSchemaMapping, mappingIn } from "./input-schema-mapping.js";
export type { PublishError } from "./publish-error.js";
export { publishRoute } from "./publish-route.js";
export type { PublishedEvent } from "./published-events.js";
export { type RecordedSchema, readRecordedEvent } from "./recorded-event.js";
export { type NewTopic, Topic } from "./topic.js";
export { domainTopicNameOf, Topics, topicIdOf, topicSchema } from "./topics.js";
