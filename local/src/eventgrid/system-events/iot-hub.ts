import { family, partsOfSubject, type SampleOf, type SourceContext } from "./system-event.js";

const SUBJECT = "devices/device-1";

const deviceOf = (source: SourceContext) =>
  partsOfSubject(source, SUBJECT, /^devices\/([^/]+)$/i)[0];

const NEVER = "0001-01-01T00:00:00Z";

const lifecycle: SampleOf = (source) => ({
  subject: SUBJECT,
  data: {
    hubName: source.name,
    deviceId: deviceOf(source),
    twin: {
      deviceId: deviceOf(source),
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
        desired: { $metadata: { $lastUpdated: source.time }, $version: 1 },
        reported: { $metadata: { $lastUpdated: source.time }, $version: 1 },
      },
    },
  },
});

const connection: SampleOf = (source) => ({
  subject: SUBJECT,
  data: {
    hubName: source.name,
    deviceId: deviceOf(source),
    deviceConnectionStateEventInfo: {
      sequenceNumber: source.sequence.toString(16).toUpperCase().padStart(64, "0"),
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
    "Microsoft.Devices.DeviceTelemetry": (source) => ({
      subject: SUBJECT,
      data: {
        properties: {},
        systemProperties: {
          "iothub-content-type": "application/json",
          "iothub-content-encoding": "utf-8",
          "iothub-connection-device-id": deviceOf(source),
          "iothub-connection-auth-method":
            '{"scope":"device","type":"sas","issuer":"iothub","acceptingIpFilterRule":null}',
          "iothub-connection-auth-generation-id": "636591077246850457",
          "iothub-enqueuedtime": source.time,
          "iothub-message-source": "Telemetry",
        },
        body: { temperature: 21 },
      },
    }),
  },
});
