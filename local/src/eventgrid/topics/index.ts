export { publishRoute } from "./publish-route.js";
export type { PublishedEvent } from "./published-events.js";
export { type InputSchema, type NewTopic, Topic, type TopicKeys, topicKeyName } from "./topic.js";
export { Topics, topicSchema } from "./topics.js";
