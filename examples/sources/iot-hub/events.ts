import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** What devices do and say. */
export const devices = defineEvents(
  systemEvents("Microsoft.Devices.DeviceConnected", "Microsoft.Devices.DeviceTelemetry"),
);
