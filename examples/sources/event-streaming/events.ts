import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** Event Hubs Capture has written a file. */
export const captures = defineEvents(systemEvents("Microsoft.EventHub.CaptureFileCreated"));
