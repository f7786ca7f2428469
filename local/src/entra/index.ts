export type { Claims } from "./access-token.js";
export { type Entra, entraRoute } from "./entra-routes.js";
export { type PublishedKey, type SigningKey, SigningKeys } from "./signing-keys.js";
export { type DeliveryTokenOptions, type IssuedToken, Tokens } from "./tokens.js";
