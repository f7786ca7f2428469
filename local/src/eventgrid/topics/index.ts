export { PublishError } from "./publish-error.js";
export { publishRoute } from "./publish-route.js";
export type { PublishedEvent } from "./published-events.js";
export type { InputSchema, NewTopic, Topic, TopicKeyName, TopicKeys } from "./topic.js";
export { type TopicChange, Topics } from "./topics.js";
