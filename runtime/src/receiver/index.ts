export { createReceiver, type Receiver, ReceiverStartError } from "./create-receiver.js";
export {
  ReceiverConfigurationError,
  type ReceiverHealth,
  type ReceiverOptions,
} from "./settings/index.js";
