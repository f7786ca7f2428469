export type { ReceiverHealth, ReceiverOptions } from "./options.js";
export {
  type Queue,
  type ReceiverSettings,
  receiverSettings,
} from "./receiver-settings.js";
