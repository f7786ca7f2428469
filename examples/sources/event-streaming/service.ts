import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { captures } from "./events.js";

const listener = createListener(bindingFromEnvironment("STREAMS", { direction: "input" }), {
  events: captures,
  on: {
    "Microsoft.EventHub.CaptureFileCreated": async ({ data }, { log }) => {
      log.info({ file: data.fileUrl, messages: data.eventCount }, "messages captured");
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
