/** The effects of the changes of a plan on events. */
export { Judgements } from "./judgements.js";
export {
  adriftFindings,
  destroyedSourceFindings,
  destructionFindings,
  encryptionFindings,
  neighbourFindings,
  registrationFindings,
  relevantIn,
} from "./resources.js";
export {
  handshakeFindings,
  replacementFindings,
  settingsFindings,
} from "./subscription.js";
export { Twins } from "./twins.js";
export { type TypeContext, typeFindings } from "./types.js";
export { WebhookWays } from "./way.js";
