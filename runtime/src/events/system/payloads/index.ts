import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { CommunicationEvents } from "./communication.js";
import type { IotHubEvents } from "./iot-hub.js";
import type { ObjectStorageEvents } from "./object-storage.js";
import type { OtherServicesEvents } from "./other-services.js";

/** The payloads that the SDK lacks or declares differently from the wire. */
interface OwnPayloads
  extends ObjectStorageEvents,
    IotHubEvents,
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
