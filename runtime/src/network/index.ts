/** What listener and receiver share of their servers, and of connections that fail. */
export { cannotListen } from "./cannot-listen.js";
export { withRemedy } from "./connection-failure.js";
export { environmentProxy } from "./environment-proxy.js";
export {
  answerHealth,
  answerJson,
  type Health,
  healthPathChecks,
  healthPathProblems,
  healthPaths,
} from "./health.js";
