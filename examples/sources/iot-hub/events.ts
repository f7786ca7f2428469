import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** Devices that connect, and their telemetry. */
export const devices = defineEvents(
  systemEvents("Microsoft.Devices.DeviceConnected", "Microsoft.Devices.DeviceTelemetry"),
);
