import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** The events of the storage account. */
export const events = defineEvents(systemEvents("Microsoft.Storage.BlobCreated"));
