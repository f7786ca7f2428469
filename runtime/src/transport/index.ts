/** HTTP to Azure: connections, proxies, credentials, one attempt and how it fails. */
export * from "./checks.js";
export * from "./choose-credentials.js";
export { Connections, type TransportOptions } from "./connections.js";
export {
  type AuthorizationHeader,
  CredentialError,
  type CredentialOptions,
  type Credentials,
  type Secret,
} from "./credentials.js";
export * from "./failures.js";
export * from "./http.js";
export * from "./namespace.js";
export * from "./proxied-fetch.js";
