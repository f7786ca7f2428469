import type { CacheEvents } from "./cache.js";
import type { EventStreamingEvents } from "./event-streaming.js";
import type { IotHubEvents } from "./iot-hub.js";
import type { MessageQueueEvents } from "./message-queue.js";
import type { ObjectStorageEvents } from "./object-storage.js";
import type { RealTimeMessagingEvents } from "./real-time-messaging.js";

/** The events of each family of sources, with their payloads. */
export interface SystemEventFamilies {
  objectStorage: ObjectStorageEvents;
  cache: CacheEvents;
  eventStreaming: EventStreamingEvents;
  iotHub: IotHubEvents;
  messageQueue: MessageQueueEvents;
  realTimeMessaging: RealTimeMessagingEvents;
}

/** A family of Azure services that raise events. */
export type SystemEventFamily = keyof SystemEventFamilies;

/** Every event type of the six families, with its payload. */
export interface SystemEventPayloads
  extends ObjectStorageEvents,
    CacheEvents,
    EventStreamingEvents,
    IotHubEvents,
    MessageQueueEvents,
    RealTimeMessagingEvents {}

/** Type of an event that an Azure service raises. */
export type SystemEventType = keyof SystemEventPayloads;

/** All event types of each family. */
export const systemEventTypes = {
  objectStorage: [
    "Microsoft.Storage.BlobCreated",
    "Microsoft.Storage.BlobDeleted",
    "Microsoft.Storage.BlobTierChanged",
    "Microsoft.Storage.AsyncOperationInitiated",
    "Microsoft.Storage.BlobRenamed",
    "Microsoft.Storage.DirectoryCreated",
    "Microsoft.Storage.DirectoryRenamed",
    "Microsoft.Storage.DirectoryDeleted",
    "Microsoft.Storage.BlobInventoryPolicyCompleted",
    "Microsoft.Storage.LifecyclePolicyCompleted",
    "Microsoft.Storage.StorageTaskQueued",
    "Microsoft.Storage.StorageTaskCompleted",
    "Microsoft.Storage.StorageTaskAssignmentQueued",
    "Microsoft.Storage.StorageTaskAssignmentCompleted",
  ],
  cache: [
    "Microsoft.Cache.PatchingCompleted",
    "Microsoft.Cache.ScalingCompleted",
    "Microsoft.Cache.ImportRDBCompleted",
    "Microsoft.Cache.ExportRDBCompleted",
  ],
  eventStreaming: ["Microsoft.EventHub.CaptureFileCreated"],
  iotHub: [
    "Microsoft.Devices.DeviceCreated",
    "Microsoft.Devices.DeviceDeleted",
    "Microsoft.Devices.DeviceConnected",
    "Microsoft.Devices.DeviceDisconnected",
    "Microsoft.Devices.DeviceTelemetry",
  ],
  messageQueue: [
    "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
    "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners",
    "Microsoft.ServiceBus.ActiveMessagesAvailablePeriodicNotifications",
    "Microsoft.ServiceBus.DeadletterMessagesAvailablePeriodicNotifications",
  ],
  realTimeMessaging: [
    "Microsoft.SignalRService.ClientConnectionConnected",
    "Microsoft.SignalRService.ClientConnectionDisconnected",
  ],
} as const satisfies {
  readonly [Family in SystemEventFamily]: readonly (keyof SystemEventFamilies[Family])[];
};
