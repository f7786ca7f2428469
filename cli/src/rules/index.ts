/** The rules of Azure that decide whether events are delivered. They say nothing in words. */
export { any, Doubt, type Known, yes } from "./answers.js";
export { applicationVerdicts, audience, idsOf, isAssigned, isOwner } from "./application.js";
export { builtInRole, type RoleName } from "./built-in-roles.js";
export { clientNetwork } from "./clients.js";
export { audienceOf, deliveryOf, type Target } from "./delivery.js";
export { permission, RIGHTS } from "./permission.js";
export { targetVerdicts } from "./target.js";
export { get, UNKNOWN } from "./values.js";
export type { Facts, Verdict } from "./verdict.js";
export type {
  Application,
  AppRole,
  AppRoleAssignment,
  List,
  Principal,
  PrivateEndpoint,
  Resource,
  Role,
  RoleAssignment,
  World,
} from "./world.js";
