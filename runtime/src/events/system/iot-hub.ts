import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** A section of a device twin: what was set, with its bookkeeping under `$`. */
export interface DeviceTwinSection {
  $metadata: { $lastUpdated: string; [property: string]: unknown };
  $version: number;
  [property: string]: unknown;
}

/** A device twin as IoT Hub writes it into an event. Where nothing has happened yet, times are the year 1. */
export interface DeviceTwin
  extends Omit<Sdk["Microsoft.Devices.DeviceCreated"]["twin"], "properties" | "x509Thumbprint"> {
  deviceEtag?: string;
  properties: { desired?: DeviceTwinSection; reported?: DeviceTwinSection };
  x509Thumbprint: { primaryThumbprint: string | null; secondaryThumbprint: string | null };
}

/** A device was made or removed. */
export interface DeviceLifeCycle {
  hubName: string;
  deviceId: string;
  twin: DeviceTwin;
}

/** A device, or a module of one, was connected or disconnected. */
export interface DeviceConnection
  extends WireForm<Sdk["Microsoft.Devices.DeviceConnected"], { moduleId?: string }> {}

/** A message that a device sent. */
export interface DeviceTelemetry {
  /**
   * The message: JSON where the device says that it is (content type `application/json`, content
   * encoding `utf-8`), else base64 text.
   */
  body: unknown;
  /** What the device's application set. */
  properties: Record<string, string>;
  /** What IoT Hub set: `iothub-connection-device-id`, `iothub-enqueuedtime` and more. */
  systemProperties: Record<string, string>;
}

/** The events of an IoT hub. */
export interface IotHubEvents {
  "Microsoft.Devices.DeviceCreated": DeviceLifeCycle;
  "Microsoft.Devices.DeviceDeleted": DeviceLifeCycle;
  "Microsoft.Devices.DeviceConnected": DeviceConnection;
  "Microsoft.Devices.DeviceDisconnected": DeviceConnection;
  "Microsoft.Devices.DeviceTelemetry": DeviceTelemetry;
}
