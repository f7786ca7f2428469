export { entraRoute } from "./entra-routes.js";
export { IdentityEndpoint } from "./identity-endpoint.js";
export { SigningKeys } from "./signing-keys.js";
export { type Claims, type DeliveryTokenOptions, DeliveryTokens, Tokens } from "./tokens.js";
