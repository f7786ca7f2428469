import { defineHandlers } from "cloud-eventgrid-binding-runtime";
import { events } from "./events.js";

/** Returning acknowledges an event; throwing makes Event Grid deliver it again. */
export const handlers = defineHandlers(events, {
  "com.example.orders.created": async ({ id, data }, { log }) => {
    log.info({ id, data }, "event received");
  },
});
