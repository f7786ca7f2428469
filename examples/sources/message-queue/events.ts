import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** Messages that wait while nobody receives. */
export const waiting = defineEvents(
  systemEvents(
    "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
    "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners",
  ),
);
