export { EventGridResources } from "./event-grid-resources.js";
export { addEventSubscriptionLists } from "./event-subscription-lists.js";
export { addEventSubscriptionRoutes } from "./event-subscription-routes.js";
export type { EventGridState, EventGridStores } from "./state.js";
export { addSystemTopicRoutes } from "./system-topic-routes.js";
export { SystemTopics } from "./system-topics.js";
export { addTopicRoutes } from "./topic-routes.js";
export { addTopicTypeRoutes } from "./topic-types.js";
export { deadLetterProblem } from "./writer-rules.js";
