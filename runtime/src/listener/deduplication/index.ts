export type {
  Claim,
  DeduplicationStore,
  EventKey,
  Lease,
  Settlement,
} from "../../deduplication/index.js";
export { isLease, notAClaim } from "../../deduplication/index.js";
export { keepLease } from "./lease.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
