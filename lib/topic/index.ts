export * from "./custom-topic.js";
export * from "./grant-publish.js";
export * from "./private-endpoints.js";
export * from "./topic-props.js";
