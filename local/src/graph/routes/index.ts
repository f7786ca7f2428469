export { addAppRoleAssignmentRoutes } from "./app-role-assignment-routes.js";
export { addApplicationRoutes } from "./application-routes.js";
export { addDeletedItemRoutes } from "./deleted-item-routes.js";
export { addBatchRoute, addDirectoryObjectRoutes } from "./directory-object-routes.js";
export { addServicePrincipalRoutes } from "./service-principal-routes.js";
