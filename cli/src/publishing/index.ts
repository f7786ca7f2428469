/** One event for a topic in Azure, published with the runtime's publisher. */
export { type EventFlags, readEvent } from "./event.js";
export { publishEvent, readTopic, type TopicFlags } from "./topic.js";
