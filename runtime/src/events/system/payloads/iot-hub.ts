import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** A section of a device twin: its properties, and metadata in members that begin with `$`. */
export interface DeviceTwinSection {
  $metadata: { $lastUpdated: string; [property: string]: unknown };
  $version: number;
  [property: string]: unknown;
}

/** A device twin in an event. Times of occurrences that have not happened are in the year 1. */
export interface DeviceTwin
  extends Omit<Sdk["Microsoft.Devices.DeviceCreated"]["twin"], "properties" | "x509Thumbprint"> {
  deviceEtag?: string;
  properties: { desired?: DeviceTwinSection; reported?: DeviceTwinSection };
  x509Thumbprint: { primaryThumbprint: string | null; secondaryThumbprint: string | null };
}

/** A device was registered or removed. */
export interface DeviceLifeCycle {
  hubName: string;
  deviceId: string;
  twin: DeviceTwin;
}

/** A device or one of its modules was connected or disconnected. */
export interface DeviceConnection
  extends WireForm<Sdk["Microsoft.Devices.DeviceConnected"], { moduleId?: string }> {}

/** A message that a device sent. */
export interface DeviceTelemetry {
  /**
   * The message: JSON if the device declares it (content type `application/json`, content encoding
   * `utf-8`), otherwise base64 text.
   */
  body: unknown;
  /** Properties that the device's application has set. */
  properties: Record<string, string>;
  /** Properties of IoT Hub, such as `iothub-connection-device-id` and `iothub-enqueuedtime`. */
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
