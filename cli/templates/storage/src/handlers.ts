import { defineHandlers } from "cloud-eventgrid-binding-runtime";
import { events } from "./events.js";

/** Returning acknowledges an event; throwing makes Event Grid deliver it again. */
export const handlers = defineHandlers(events, {
  "Microsoft.Storage.BlobCreated": async ({ id, data }, { log }) => {
    log.info({ id, url: data.url }, "blob created");
  },
});
