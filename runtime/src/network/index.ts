/** What listener and receiver share of their servers, and of connections that fail. */
export { withRemedy } from "./connection-failure.js";
export { environmentProxy } from "./environment-proxy.js";
export {
  answerHealth,
  answerJson,
  healthPathChecks,
  healthPathProblems,
  healthPaths,
} from "./health.js";
export { cannotListen, closeServer } from "./server.js";
