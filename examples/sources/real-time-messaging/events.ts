import {
  defineEvents,
  systemEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";

/** Clients that connect and disconnect. */
export const connections = defineEvents(systemEvents(...systemEventTypes.realTimeMessaging));
