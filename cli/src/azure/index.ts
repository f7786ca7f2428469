/** Resource Manager and Graph, with the caller's credentials. */
export { Azure, type AzureDependencies, type Caller } from "./azure.js";
export { at, listAt, textAt } from "./json.js";
export { explained, missingSignIn } from "./sign-in.js";
export {
  type Answer,
  httpClient,
  retryingPipeline,
  type TransportDependencies,
} from "./transport.js";
