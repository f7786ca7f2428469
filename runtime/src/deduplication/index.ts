export { Deduplication, isLease } from "./deduplication.js";
export { type DeduplicationKey, deduplicationKey } from "./deduplication-key.js";
export { EventClaims } from "./event-claims.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  SettledLease,
} from "./store.js";
