export type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  Settlement,
  StoreLog,
} from "../../deduplication/index.js";
export { type Deduplication, EventClaims } from "./event-claims.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export { UnstoredOutcomes } from "./unstored-outcomes.js";
