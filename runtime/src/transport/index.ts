/** HTTP to Azure: connections, proxies, credentials, one attempt and how it fails. */

export { Attempt, ServiceClient, type ServiceRequest } from "./client.js";
export { type ClosableFetch, type Fetch, proxiedFetch } from "./connections.js";
export type { CredentialOptions, Secret } from "./credentials.js";
export {
  type HttpResponse,
  MAX_RETRY_AFTER_MS,
  parsedJson,
  RequestFailure,
  type ServiceErrorDetail,
} from "./failures.js";
export * from "./service.js";
export * from "./service.js";
