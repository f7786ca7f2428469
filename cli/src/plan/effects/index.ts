/** What the changes of a plan do to events. */
export {
  destroyedSourceFindings,
  destructionFindings,
  neighbourFindings,
  relevantIn,
} from "./resources.js";
export { Roles } from "./roles.js";
export {
  destinationText,
  handshakeFindings,
  replacementFindings,
  settingsFindings,
} from "./subscription.js";
export { templateFindings } from "./templates.js";
export { Twins } from "./twins.js";
export { typeFindings } from "./types.js";
