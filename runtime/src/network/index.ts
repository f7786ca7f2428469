/** What listener and receiver share of their servers, and of connections that fail. */
export { environmentProxy, withRemedy } from "./connections.js";
export {
  answerHealth,
  answerJson,
  cannotListen,
  closeServer,
  healthPathChecks,
  healthPathProblems,
  healthPaths,
} from "./server.js";
