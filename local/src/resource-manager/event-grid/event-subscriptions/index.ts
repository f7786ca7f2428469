export { shownMapping } from "./event-subscription-answer.js";
export { addEventSubscriptionLists } from "./event-subscription-lists.js";
export { addMetricsRoute, eventSubscriptionResources } from "./event-subscription-resources.js";
export { intervals } from "./metrics-answer.js";
export {
  deadLetterProblem,
  namespaceDeadLetterProblem,
  requireSecureWebhookRoles,
} from "./writer-rules.js";
