export { addPasswordRoutes, applicationAnswer, applications } from "./applications.js";
export { federatedCredentials } from "./federated-credentials.js";
export {
  appRoleAssignments,
  servicePrincipalAnswer,
  servicePrincipals,
} from "./service-principals.js";
export { DOMAIN, domains, groups, userOrGroupAnswer, users } from "./users-and-groups.js";
