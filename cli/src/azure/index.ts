/** Resource Manager and Graph, with the caller's credentials. */
export { Azure, type AzureDependencies, type Caller } from "./azure.js";
export { EVENT_GRID_API, NAMESPACE_API, subscriptionsPath } from "./event-grid.js";
export { at, listAt, textAt, textOrEmpty } from "./json.js";
export { droppedSince, type Period, pointsOf, readMetrics, total } from "./metrics.js";
export { explained, missingSignIn } from "./sign-in.js";
export {
  type Answer,
  httpClient,
  retryingPipeline,
  type TransportDependencies,
} from "./transport.js";
