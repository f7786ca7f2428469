export { addDeploymentRoutes } from "./deployment-routes.js";
