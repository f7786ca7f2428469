import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** Event Hubs Capture has written a file. Single messages raise no events. */
export interface CaptureFileCreated
  extends WireForm<Sdk["Microsoft.EventHub.CaptureFileCreated"]> {}

/** The events of an Event Hubs namespace. */
export interface EventStreamingEvents {
  "Microsoft.EventHub.CaptureFileCreated": CaptureFileCreated;
}
