export {
  destinationId,
  destinationProblems,
  type MessageDestination,
  type MessagingDestination,
  messageDestination,
  type StorageQueueDestination,
} from "./destination.js";
export { type Message, Messages } from "./messages.js";
export { storageProblems } from "./storage-names.js";
