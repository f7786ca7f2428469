import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** Files that Capture has written. */
export const captures = defineEvents(systemEvents("Microsoft.EventHub.CaptureFileCreated"));
