export { addEventSubscriptionLists } from "./event-subscription-lists.js";
export {
  addMetricsRoute,
  eventSubscriptionResources,
  shownMapping,
} from "./event-subscription-resources.js";
export { intervals } from "./metrics-answer.js";
export {
  deadLetterProblem,
  namespaceDeadLetterProblem,
  requireSecureWebhookRoles,
} from "./writer-rules.js";
