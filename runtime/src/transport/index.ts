/** HTTP to Azure: connections, proxies, credentials, one attempt and how it fails. */
export {
  credentialOptions,
  credentialProblems,
  transportOptions,
  transportProblems,
} from "./checks.js";
export {
  chooseCredentials,
  namespaceHeaders,
  type SecretHeaders,
  topicHeaders,
} from "./choose-credentials.js";
export { Connections, type TransportOptions } from "./connections.js";
export {
  type AuthorizationHeader,
  CredentialError,
  type CredentialOptions,
  type Credentials,
  type Secret,
} from "./credentials.js";
export {
  backoffMs,
  connectionFailure,
  MAX_RETRY_AFTER_MS,
  readRefusal,
  type ServiceErrorDetail,
  sentences,
  viaProxy,
} from "./failures.js";
export {
  Attempt,
  authorized,
  dispatch,
  type HttpResponse,
  type Stage,
  USER_AGENT,
} from "./http.js";
export { NAMESPACE_API_VERSION, namespaceTopicUrl } from "./namespace.js";
export { type ClosableFetch, type Fetch, proxiedFetch } from "./proxied-fetch.js";
