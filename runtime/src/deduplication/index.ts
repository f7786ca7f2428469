export { deduplicationCheck } from "./deduplication-check.js";
export { type DeduplicationKey, deduplicationKey } from "./deduplication-key.js";
export { EventClaims, isLease } from "./event-claims.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  SettledLease,
} from "./store.js";
export { closeStore, type Deduplication, deduplicationWith } from "./unstored-outcomes.js";
