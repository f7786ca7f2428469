export {
  type EventSource,
  EventSourceError,
  type EventSourceOptions,
  type SourcePart,
  type SourceResource,
} from "./event-source.js";
export * from "./object-storage.js";
export * from "./resource.js";
export * from "./services.js";
