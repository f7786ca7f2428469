import { systemEventTypes } from "cloud-eventgrid-binding-runtime/events";
import { unchecked } from "../validation/index.js";
import { exactly, SourceDraft } from "./draft.js";
import type { EventSource, EventSourceOptions, SourceResource } from "./event-source.js";

/** Options of {@link iotHub}. */
export type IotHubOptions = EventSourceOptions<"iotHub"> &
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
         * Beginning of the device IDs: `floor-1-`.
         *
         * @default any beginning
         */
        readonly devicePrefix: string;
      }
  );

/**
 * The events of an IoT hub.
 *
 * - `source` is the hub's resource ID in capitals: ignore its case in comparisons.
 * - The `data.body` of telemetry is JSON only if the device sends its message with the content type
 *   `application/json` and the content encoding `utf-8`. Otherwise it is base64 text, which advanced
 *   filters cannot match.
 * - IoT Hub checks the connection state at intervals, so that a short connection may raise only one
 *   event. `data.deviceConnectionStateEventInfo.sequenceNumber` gives the order.
 * - Device IDs are case-sensitive, as in the hub.
 *
 * @throws {EventSourceError} for a resource of another type, and event types that a hub does not raise
 */
export function iotHub(hub: SourceResource, options: IotHubOptions = {}): EventSource {
  const draft = new SourceDraft(kind, hub);
  const { events, device, devicePrefix } = draft.validate(options, {
    events: unchecked,
    device: unchecked,
    devicePrefix: unchecked,
  });
  const types = draft.chosen(events) ?? kind.types;
  draft.refuseIf(
    device !== undefined && devicePrefix !== undefined,
    "device",
    "exclusive",
    "and devicePrefix exclude each other: set one of the two",
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
  types: systemEventTypes.iotHub,
};
