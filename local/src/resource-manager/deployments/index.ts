export { addDeploymentRoutes, deploymentResources } from "./deployments.js";
