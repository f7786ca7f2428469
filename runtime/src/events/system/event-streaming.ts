import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/**
 * Capture wrote a file; nothing is told of single messages. Times are RFC 3339 strings.
 */
export interface CaptureFileCreated
  extends WireForm<Sdk["Microsoft.EventHub.CaptureFileCreated"]> {}

/** The events of an Event Hubs namespace. */
export interface EventStreamingEvents {
  "Microsoft.EventHub.CaptureFileCreated": CaptureFileCreated;
}
