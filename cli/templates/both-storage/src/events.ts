import { defineEvents, systemEvents, type } from "cloud-eventgrid-binding-runtime/events";

/** The events of the storage account. */
export const events = defineEvents(systemEvents("Microsoft.Storage.BlobCreated"));

/** The events that the service publishes, with the types of their data. */
export const published = defineEvents({
  "com.example.orders.created": type<{ readonly id: string }>(),
});
