export { isOfType, type Resource, stableKey, stableUuid, typeOf } from "./resource.js";
export { addResourceRoutes, type ResourceState } from "./resource-routes.js";
export type { ResourceType } from "./resource-type.js";
export { Resources } from "./resources.js";
