import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { CacheEvents } from "./cache.js";
import type { CommunicationEvents } from "./communication.js";
import type { IotHubEvents } from "./iot-hub.js";
import type { KeyVaultEvents } from "./key-vault.js";
import type { MessageQueueEvents } from "./message-queue.js";
import type { ObjectStorageEvents } from "./object-storage.js";
import type { OtherServicesEvents } from "./other-services.js";
import type { RealTimeMessagingEvents } from "./real-time-messaging.js";

/** The payloads that the SDK lacks or declares differently from the wire. */
interface OwnPayloads
  extends ObjectStorageEvents,
    CacheEvents,
    IotHubEvents,
    MessageQueueEvents,
    RealTimeMessagingEvents,
    KeyVaultEvents,
    CommunicationEvents,
    OtherServicesEvents {}

type MisspeltInSdk =
  | "Microsoft.Communication.RouterJobWorkerSelectorsExpire"
  | "Microsoft.PolicyInsights.PolicyStateChanged ";

/**
 * Every event type of Azure's services, with its payload as JSON on the wire:
 * `SystemEventPayloads["Microsoft.Storage.BlobCreated"]`.
 */
export interface SystemEventPayloads
  extends Omit<Sdk, keyof OwnPayloads | MisspeltInSdk>,
    OwnPayloads {}
