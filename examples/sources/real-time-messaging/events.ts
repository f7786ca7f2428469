import {
  defineEvents,
  systemEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";

/** Who comes to the chat, and who goes. */
export const connections = defineEvents(systemEvents(...systemEventTypes.realTimeMessaging));
