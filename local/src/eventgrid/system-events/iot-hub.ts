import { family, type SampleOf } from "./system-event.js";

const DEVICE = "device-1";

const NEVER = "0001-01-01T00:00:00Z";

const lifecycle: SampleOf = ({ name, time }) => ({
  subject: `devices/${DEVICE}`,
  data: {
    hubName: name,
    deviceId: DEVICE,
    twin: {
      deviceId: DEVICE,
      etag: "AAAAAAAAAAE=",
      deviceEtag: "null",
      status: "enabled",
      statusUpdateTime: NEVER,
      connectionState: "Disconnected",
      lastActivityTime: NEVER,
      cloudToDeviceMessageCount: 0,
      authenticationType: "sas",
      x509Thumbprint: { primaryThumbprint: null, secondaryThumbprint: null },
      version: 2,
      properties: {
        desired: { $metadata: { $lastUpdated: time }, $version: 1 },
        reported: { $metadata: { $lastUpdated: time }, $version: 1 },
      },
    },
  },
});

const connection: SampleOf = ({ name }) => ({
  subject: `devices/${DEVICE}`,
  data: {
    hubName: name,
    deviceId: DEVICE,
    deviceConnectionStateEventInfo: {
      sequenceNumber: "000000000000000001D4132452F67CE200000002000000000000000000000001",
    },
  },
});

/** IoT Hub, whose events have a source in upper case. */
export const iotHub = family({
  resourceType: "Microsoft.Devices/IotHubs",
  sourceOf: (resourceId) => resourceId.toUpperCase(),
  samples: {
    "Microsoft.Devices.DeviceCreated": lifecycle,
    "Microsoft.Devices.DeviceDeleted": lifecycle,
    "Microsoft.Devices.DeviceConnected": connection,
    "Microsoft.Devices.DeviceDisconnected": connection,
    "Microsoft.Devices.DeviceTelemetry": ({ time }) => ({
      subject: `devices/${DEVICE}`,
      data: {
        properties: {},
        systemProperties: {
          "iothub-content-type": "application/json",
          "iothub-content-encoding": "utf-8",
          "iothub-connection-device-id": DEVICE,
          "iothub-connection-auth-method":
            '{"scope":"device","type":"sas","issuer":"iothub","acceptingIpFilterRule":null}',
          "iothub-connection-auth-generation-id": "636591077246850457",
          "iothub-enqueuedtime": time,
          "iothub-message-source": "Telemetry",
        },
        body: { temperature: 21 },
      },
    }),
  },
});
