export type {
  EventSource,
  EventSourceOptions,
  SourcePart,
  SourceResource,
} from "./event-source.js";
export * from "./object-storage.js";
export * from "./resource.js";
export * from "./services.js";
