export { keepLease } from "./lease.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export type { Claim, DeduplicationStore, EventKey, Lease } from "./store.js";
export { isLease, notAClaim } from "./store.js";
