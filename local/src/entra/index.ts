export type { Claims } from "./access-token.js";
export { entraRoute } from "./entra-routes.js";
export { IdentityEndpoint } from "./identity-endpoint.js";
export { SigningKeys } from "./signing-keys.js";
export { type DeliveryTokenOptions, type IssuedToken, Tokens } from "./tokens.js";
