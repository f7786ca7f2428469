export type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  Settlement,
} from "../../deduplication/index.js";
export { EventClaims } from "./event-claims.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
