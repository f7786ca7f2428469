export type { CacheEvents, CacheOperation } from "./cache.js";
export type { CaptureFileCreated, EventStreamingEvents } from "./event-streaming.js";
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
export type {
  AsyncOperationInitiated,
  BlobCreated,
  BlobDeleted,
  BlobInventoryPolicyCompleted,
  BlobRenamed,
  BlobTierChanged,
  DirectoryCreated,
  DirectoryDeleted,
  DirectoryRenamed,
  LifecycleActionSummary,
  LifecyclePolicyCompleted,
  ObjectStorageEvents,
  StorageTaskAssignmentCompleted,
  StorageTaskAssignmentQueued,
  StorageTaskCompleted,
  StorageTaskQueued,
} from "./object-storage.js";
export type {
  ClientConnection,
  ClientDisconnection,
  RealTimeMessagingEvents,
} from "./real-time-messaging.js";
export { eventTypesByResourceType, resourceManagerEventTypes } from "./resource-types.js";
export { systemEvents } from "./system-events.js";
