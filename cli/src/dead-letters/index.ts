/** Dead letters in a storage container: counted, shown, and sent again. */
export { Ages } from "./ages.js";
export { type ContainerFlags, openContainer } from "./container.js";
export { countGroups, type Grouping } from "./groups.js";
export { type ReplayOptions, type ReplayResult, replay } from "./replay.js";
export { type Selection, selectBlobs } from "./selection.js";
export { topicSender } from "./send-to-topic.js";
export {
  readWebhook,
  type WebhookDependencies,
  type WebhookFlags,
} from "./send-to-webhook.js";
