export {
  EventQueue,
  type FailedLockToken,
  type LockResult,
  type QueueCounts,
  type QueueEntry,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./event-queue.js";
