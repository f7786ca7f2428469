/** One event for a topic in Azure, published with the runtime's publisher. */
export { type EventFlags, readEvent } from "./event.js";
export { publishEvent } from "./publish.js";
export { readTopic, type TopicFlags, topicAt } from "./read-topic.js";
