/** The rules of Azure that decide whether events are delivered. They say nothing in words. */
export { type Answer, all, any, Doubt, type Known, no, unknown, yes } from "./answers.js";
export { applicationVerdicts, audience, idsOf, isAssigned, isOwner } from "./application.js";
export { builtInRole, type RoleName } from "./built-in-roles.js";
export { admitsAll, clientKeys, clientNetwork } from "./clients.js";
export { audienceOf, type Delivery, deliveryOf, type Target } from "./delivery.js";
export { ownerOf } from "./identity.js";
export { isNotPublic } from "./network.js";
export { permission, RIGHTS, type Right } from "./permission.js";
export { sourceAt, sourceVerdicts } from "./source.js";
export { READING, targetVerdicts } from "./target.js";
export { brokenState, get, isOneOf, partial, UNKNOWN } from "./values.js";
export { type Facts, type Part, type RuleName, ruling, type Verdict } from "./verdict.js";
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
