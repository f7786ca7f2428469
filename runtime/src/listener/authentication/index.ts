/** Who sends a request: the tokens, the issuers that are trusted, and why a request is denied. */
export { Authenticator, lowerCaseId } from "./authenticator.js";
export { Denial, type DenialReason } from "./denials.js";
export { TrustedIssuers } from "./issuers.js";
export { TokenCache, type TokenVersion } from "./token.js";
