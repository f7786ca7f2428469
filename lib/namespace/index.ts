export * from "./namespace.js";
export * from "./namespace-props.js";
export * from "./namespace-topic.js";
export * from "./pull-binding.js";
export * from "./pull-props.js";
export * from "./topic-source.js";
