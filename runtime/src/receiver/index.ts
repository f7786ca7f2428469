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
  RejectEvent,
  type VerifiedCaller,
} from "../handling/index.js";
export type { TelemetryProviders } from "../instrumentation.js";
export type { Log } from "../log.js";
export type { Clock } from "../time.js";
export type {
  CredentialOptions,
  Secret,
  TlsOptions,
  TransportOptions,
} from "../transport/index.js";
export { createReceiver, type Receiver } from "./create-receiver.js";
export { ReceiverConfigurationError, ReceiverStartError } from "./errors.js";
export type {
  ReceiverHealth,
  ReceiverOptions,
  ReleaseDelay,
} from "./settings/index.js";
