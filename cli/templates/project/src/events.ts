import { defineEvents, type } from "cloud-eventgrid-binding-runtime/events";

/** The events that the topic carries, with the types of their data. */
export const events = defineEvents({
  "com.example.orders.created": type<{ readonly id: string }>(),
});

// if both
/** The events that the service publishes. */ // if both
export const published = events; // if both
