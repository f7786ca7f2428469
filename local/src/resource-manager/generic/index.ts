export { type GenericResource, GenericResources, stableUuid } from "./generic-resources.js";
export { addGenericRoutes, deleteGeneric, type GenericState } from "./generic-routes.js";
export { resourceTypes } from "./resource-types.js";
