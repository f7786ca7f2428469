import { bindingFromEnvironment, createListener } from "cloud-eventgrid-binding-runtime";
import { blobs } from "./events.js";

const listener = createListener(bindingFromEnvironment("STORAGE", { direction: "input" }), {
  events: blobs,
  on: {
    "Microsoft.Storage.BlobCreated": async ({ data }, { log }) => {
      log.info({ url: data.url, bytes: data.contentLength }, "file arrived");
    },
    "Microsoft.Storage.BlobDeleted": async ({ data }, { log }) => {
      log.info({ url: data.url }, "file deleted");
    },
  },
  signals: ["SIGTERM", "SIGINT"],
});
await listener.listen();
