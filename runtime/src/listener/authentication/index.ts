export { type AuthenticationResult, Authenticator } from "./authenticator.js";
export { lowerCaseId, type TokenVersion } from "./claims.js";
export { Denial, type DenialReason } from "./denial.js";
export { SigningKeys } from "./signing-keys.js";
export { TokenCache } from "./token.js";
