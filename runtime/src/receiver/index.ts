export { createReceiver, type Receiver, ReceiverStartError } from "./create-receiver.js";
export type { ReceiverHealth, ReceiverOptions } from "./settings.js";
