export type { ReceiverHealth, ReceiverOptions } from "./options.js";
export {
  type Queue,
  ReceiverConfigurationError,
  type ReceiverSettings,
  receiverSettings,
} from "./receiver-settings.js";
