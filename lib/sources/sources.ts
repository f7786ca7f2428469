export { type CacheOptions, cache } from "./cache.js";
export {
  type EventSource,
  EventSourceError,
  type EventSourceOptions,
  type SourcePart,
  type SourceResource,
} from "./event-source.js";
export {
  type EventHubPart,
  type EventHubsNamespaceSource,
  type EventStreamingOptions,
  eventStreaming,
} from "./event-streaming.js";
export { type IotHubOptions, iotHub } from "./iot-hub.js";
export {
  type MessageQueueEntity,
  type MessageQueueOptions,
  messageQueue,
  type ServiceBusNamespaceSource,
} from "./message-queue.js";
export {
  type ObjectStorageOptions,
  objectStorage,
  type StorageAccountSource,
} from "./object-storage.js";
export {
  type RealTimeMessagingOptions,
  realTimeMessaging,
  type SignalrServiceSource,
} from "./real-time-messaging.js";
export { type ResourceOptions, resource } from "./resource.js";
