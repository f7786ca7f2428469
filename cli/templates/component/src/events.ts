import {
  defineEvents,
  systemEvents, // if system-events
  type, // if own-events
} from "cloud-eventgrid-binding-runtime/events";

/** The events of the binding, with the types of their data. */
export const events = defineEvents({
  ...systemEvents("Microsoft.Storage.BlobCreated"), // if system-events
  "com.example.orders.created": type<{ readonly id: string }>(), // if own-events
});

// if both
/** The events that the service publishes. */ // if both
export const published = events; // if both
