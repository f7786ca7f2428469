import type { SystemEventNameToEventData as Sdk } from "@azure/eventgrid";
import type { WireForm } from "./wire-form.js";

/** Numbers and times that a file without events does not have. */
interface FirstAndLast {
  firstSequenceNumber: number;
  lastSequenceNumber: number;
  /** RFC 3339 time. */
  firstEnqueueTime: string;
  /** RFC 3339 time. */
  lastEnqueueTime: string;
}

/** The events of an Event Hubs namespace. */
export interface EventStreamingEvents {
  /** Capture wrote a file; it tells nothing of single messages. */
  "Microsoft.EventHub.CaptureFileCreated": WireForm<
    Sdk["Microsoft.EventHub.CaptureFileCreated"],
    FirstAndLast
  >;
}
