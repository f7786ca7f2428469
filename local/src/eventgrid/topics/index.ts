export { PublishError } from "./publish-error.js";
export { publishRoute } from "./publish-route.js";
export type { PublishedEvent } from "./published-events.js";
export type { InputSchema, Topic, TopicKeyName, TopicKeys } from "./topic.js";
export { type NewTopic, type TopicChange, Topics } from "./topics.js";
