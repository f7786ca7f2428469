export { Deduplication, EventClaims } from "./deduplication.js";
export { type DeduplicationKey, deduplicationKey, type EventKey } from "./event-key.js";
export { MemoryDeduplication, type MemoryDeduplicationOptions } from "./memory-deduplication.js";
export type { Claim, DeduplicationStore, SettledLease } from "./store.js";
