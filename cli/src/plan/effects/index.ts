/** The effects of the changes of a plan on events. */
export { encryptionFindings } from "./encryption.js";
export { Judgements } from "./judgements.js";
export {
  adriftFindings,
  destroyedSourceFindings,
  destructionFindings,
  endpointFindings,
  isOnlyAdded,
  neighbourFindings,
  policyFindings,
  registrationFindings,
  relevantIn,
} from "./resources.js";
export {
  handshakeFindings,
  replacementFindings,
  settingsFindings,
} from "./subscription.js";
export { templateFindings } from "./templates.js";
export { Twins } from "./twins.js";
export { type TypeContext, typeFindings } from "./types.js";
export { WebhookWays } from "./way.js";
