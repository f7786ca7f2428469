export {
  destinationId,
  destinationProblems,
  type EventDestination,
  eventDestination,
  type FunctionDestination,
  functionAppOf,
  functionUrl,
  localAccount,
  type MessageDestination,
  type MessagingDestination,
  type NamespaceTopicDestination,
  type StorageQueueDestination,
  takesDeliveryProperties,
  withoutQuery,
} from "./destination.js";
export { type Message, type MessageResponse, Messages } from "./messages.js";
export { storageProblems } from "./storage-names.js";
