export {
  type AuthorizationHeader,
  CredentialError,
  type CredentialOptions,
  type Secret,
  type TopicCredentials,
} from "./credentials.js";
export { isSecret } from "./secret-header.js";
export { topicCredentials } from "./topic-credentials.js";
