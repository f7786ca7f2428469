export type { CacheEvents, CacheOperation } from "./cache.js";
export type { EventStreamingEvents } from "./event-streaming.js";
export * from "./families.js";
export type {
  DeviceConnection,
  DeviceLifeCycle,
  DeviceTelemetry,
  DeviceTwin,
  DeviceTwinSection,
  IotHubEvents,
} from "./iot-hub.js";
export type {
  DeadletterMessagesAvailable,
  MessageQueueEvents,
  MessagesAvailable,
} from "./message-queue.js";
export type { ObjectStorageEvents } from "./object-storage.js";
export type { ClientConnection, RealTimeMessagingEvents } from "./real-time-messaging.js";
export { systemEvents } from "./system-events.js";
