/**
 * What handles events, however they arrive: handlers for a listener or a receiver, middleware around them, and the stores that
 * remember which events were handled.
 */

export {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  type Lease,
  MemoryDeduplication,
  type MemoryDeduplicationOptions,
  type SettledLease,
} from "../deduplication/index.js";
export {
  defineHandlers,
  type EventContext,
  type EventHandler,
  type EventHandlers,
  type Middleware,
  MiddlewareError,
  RejectEvent,
  type VerifiedCaller,
  withMiddleware,
} from "../handling/index.js";
