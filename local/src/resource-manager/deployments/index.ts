export { addDeploymentRoutes, deploymentResources } from "./deployment-resources.js";
