export {
  chooseCredentials,
  namespaceHeaders,
  type SecretHeaders,
  topicHeaders,
} from "./choose-credentials.js";
export {
  type AuthorizationHeader,
  CredentialError,
  type CredentialOptions,
  type Credentials,
  type Secret,
} from "./credentials.js";
export { isSecret } from "./secret-header.js";
