export {
  EventQueue,
  type LockResult,
  type QueueCounts,
  type QueueEntry,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./event-queue.js";
