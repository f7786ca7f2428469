export { Connections, type TlsOptions, type TransportOptions } from "./connections.js";
export { type CredentialOptions, isSecret, type Secret } from "./credentials.js";
export type { RequestFailure, Topic } from "./failure.js";
export { Attempt, type RequestContent, Transport } from "./request.js";
export { topicCredentials } from "./topic-credentials.js";
