export type {
  AnyReceiverOptions,
  ReceiverHealth,
  ReceiverOptions,
  ReleaseDelay,
} from "./options.js";
export { type Queue, type ReceiverSettings, receiverSettings } from "./receiver-settings.js";
