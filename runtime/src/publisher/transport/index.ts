export { Attempt } from "./attempt.js";
export { Connections, type TlsOptions, type TransportOptions } from "./connections.js";
export {
  type CredentialOptions,
  isSecret,
  type Secret,
  topicCredentials,
} from "./credentials/index.js";
export type { RequestFailure, Topic } from "./failure.js";
export { type RequestContent, Transport } from "./request.js";
