import { systemEventTypes } from "./families.js";

/**
 * The types that a subscription and a resource group raise.
 *
 * @see https://learn.microsoft.com/azure/event-grid/event-schema-subscriptions#available-event-types
 */
export const resourceManagerEventTypes = ["Write", "Delete", "Action"].flatMap((operation) =>
  ["Success", "Failure", "Cancel"].map(
    (outcome) => `Microsoft.Resources.Resource${operation}${outcome}`,
  ),
);

/**
 * All types of the events that a resource raises, by its type. Those of a topic or a domain are its
 * publishers'.
 */
export const eventTypesByResourceType: Readonly<Record<string, readonly string[]>> = {
  "microsoft.eventgrid/topics": [],
  "microsoft.eventgrid/domains": [],
  "microsoft.cache/redis": systemEventTypes.cache,
  "microsoft.devices/iothubs": systemEventTypes.iotHub,
  "microsoft.eventhub/namespaces": systemEventTypes.eventStreaming,
  "microsoft.servicebus/namespaces": systemEventTypes.messageQueue,
  "microsoft.signalrservice/signalr": systemEventTypes.realTimeMessaging,
  "microsoft.storage/storageaccounts": systemEventTypes.objectStorage,
};
