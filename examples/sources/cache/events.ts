import {
  defineEvents,
  systemEvents,
  systemEventTypes,
} from "cloud-eventgrid-binding-runtime/events";

/** All events of a cache: patching, scaling, import and export. */
export const maintenance = defineEvents(systemEvents(...systemEventTypes.cache));
