export { Attempt } from "./attempt.js";
export { Connections, type TlsOptions, type TransportOptions } from "./connections.js";
export type { CredentialOptions, Secret } from "./credentials.js";
export type { RequestFailure } from "./failure.js";
export { type RequestContent, Transport } from "./request.js";
export { isSecret } from "./secret-header.js";
export { topicCredentials } from "./topic-credentials.js";
