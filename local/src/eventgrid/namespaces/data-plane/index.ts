export { notFound, refusalOf } from "./data-plane-error.js";
export { dataRoute } from "./data-route.js";
export { structured } from "./published-events.js";
export type { PublishedEvent } from "./received-form.js";
