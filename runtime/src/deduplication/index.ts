export { deduplicationCheck } from "./check.js";
export { type DeduplicationKey, deduplicationKey } from "./deduplication-key.js";
export { EventClaims } from "./event-claims.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export { closeStore, type Deduplication } from "./settlements.js";
export {
  type Claim,
  type DeduplicationStore,
  type EventKey,
  isLease,
  type Lease,
  type Settlement,
} from "./store.js";
export { UnstoredOutcomes } from "./unstored-outcomes.js";
