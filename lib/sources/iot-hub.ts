import { type IotHubEvents, systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import type { All } from "../validation/index.js";
import type { EventSource, EventSourceOptions, SourceResource } from "./event-source.js";
import { exactly, SourceDraft } from "./source-draft.js";

/** What of an IoT hub's events is received. */
export type IotHubOptions = EventSourceOptions<keyof IotHubEvents> &
  (
    | {
        /**
         * ID of the device that the events are about.
         *
         * @default any
         */
        readonly device?: string;
        readonly devicePrefix?: never;
      }
    | {
        readonly device?: never;
        /**
         * What the device's ID begins with: `floor-1-`.
         *
         * @default any beginning
         */
        readonly devicePrefix: string;
      }
  );

/**
 * The events of an IoT hub, whose messages come through event streaming.
 *
 * - `source` is the hub's resource ID in capitals: compare it without regard to case.
 * - Telemetry's `data.body` is JSON only where the device says that its message is (content type
 *   `application/json`, content encoding `utf-8`), else base64 text. Advanced filters cannot look into
 *   the latter.
 * - A device that connects and disconnects at once is told of once at most: IoT Hub looks at the
 *   state in intervals. `data.deviceConnectionStateEventInfo.sequenceNumber` tells the order.
 * - Device IDs are compared with regard to case, as the hub does.
 *
 * @throws {EventSourceError} for a resource of another type, and types that a hub does not raise
 */
export function iotHub(hub: SourceResource, options: IotHubOptions = {}): EventSource {
  const draft = new SourceDraft(kind, hub, options);
  const types = draft.chosen(options.events) ?? kind.types;
  const { device, devicePrefix } = options;
  draft.refuseIf(
    device !== undefined && devicePrefix !== undefined,
    "device and devicePrefix exclude each other: give one of the two",
  );
  const caseSensitive = true;
  if (device !== undefined) {
    const name = draft.nameOf(device, "device");
    return draft.finish(types, { ...exactly(`devices/${name}`), caseSensitive });
  }
  if (devicePrefix === undefined) return draft.finish(types);
  const prefix = draft.nameOf(devicePrefix, "devicePrefix");
  return draft.finish(types, { beginsWith: `devices/${prefix}`, caseSensitive });
}

const kind = {
  resource: "IoT hub",
  resourceType: "Microsoft.Devices/IotHubs",
  terraformType: "azurerm_iothub",
  types: systemEventTypes.iotHub,
  options: { events: true, device: true, devicePrefix: true } satisfies All<IotHubOptions>,
};
