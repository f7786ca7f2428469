export {
  Authorization,
  OWNER,
  RoleAssignments,
  roleDefinitionByName,
  roleDefinitions,
} from "./authorization/index.js";
export {
  deadLetterProblem,
  type EventGridState,
  type EventGridStores,
  SystemTopics,
} from "./event-grid/index.js";
export { GenericResources, resourceTypes } from "./generic/index.js";
export {
  locations,
  ManagedIdentities,
  Operations,
  ProviderRegistrations,
  ResourceGroups,
} from "./resources/index.js";
export { resourceManagerService } from "./service.js";
