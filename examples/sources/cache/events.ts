import {
  defineEvents,
  systemEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";

/** What is done to the cache itself. */
export const maintenance = defineEvents(systemEvents(...systemEventTypes.cache));
