export {
  EventQueue,
  type FailedLockToken,
  type LockResult,
  type QueueCounts,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./event-queue.js";
