/** The checks of a deployment, one file for each part of Azure that they inspect. */
export { checkApplication } from "./application.js";
export { checkDeadLetter } from "./dead-letter.js";
export { checkDeliveries, checkUnmatched } from "./deliveries.js";
export { checkDestination } from "./destination.js";
export {
  checkEventSubscription,
  type EventSubscription,
} from "./event-subscription.js";
export { checkFilters } from "./filters.js";
export { checkHandshake, type HandshakeSettings } from "./handshake.js";
export { checkProvider } from "./provider.js";
export { checkTopic } from "./publisher-topic.js";
export { pullChecks } from "./pull/index.js";
export { checkSource } from "./source.js";
