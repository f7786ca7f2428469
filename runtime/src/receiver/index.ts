export { createReceiver, type Receiver } from "./create-receiver.js";
export { ReceiverConfigurationError, ReceiverStartError } from "./errors.js";
export type {
  ReceiverHealth,
  ReceiverOptions,
} from "./settings/index.js";
