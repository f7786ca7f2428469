export { Resources } from "./engine/index.js";
export {
  deadLetterProblem,
  deliveryProblem,
  type EventGridState,
  type EventGridStores,
  namespaceDeadLetterProblem,
} from "./event-grid/index.js";
export {
  Authorization,
  locations,
  ManagedIdentities,
  Operations,
  OWNER,
  ProviderRegistrations,
  RoleAssignments,
  RoleDefinitions,
} from "./resources/index.js";
export { resourceManagerService } from "./service.js";
export { createGroupOf } from "./services/index.js";
