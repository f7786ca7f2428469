import { defineEvents, systemEvents } from "cloud-eventgrid-binding-runtime/events";

/** Messages that wait while no receiver is connected. */
export const waiting = defineEvents(
  systemEvents(
    "Microsoft.ServiceBus.ActiveMessagesAvailableWithNoListeners",
    "Microsoft.ServiceBus.DeadletterMessagesAvailableWithNoListeners",
  ),
);
