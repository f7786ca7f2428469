import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { devices } from "./events.js";
import { readingOf } from "./reading.js";

const listener = createListener(bindingFromEnvironment("DEVICES", { direction: "input" }), {
  events: devices,
  on: {
    "Microsoft.Devices.DeviceConnected": async ({ data }, { log }) => {
      log.info({ device: data.deviceId }, "device connected");
    },
    "Microsoft.Devices.DeviceTelemetry": async ({ subject, data }, { log }) => {
      log.info({ subject, ...readingOf(data) }, "device measured");
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
