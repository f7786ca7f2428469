export { ControlPlane } from "./control-plane.js";
export {
  type ControlPlaneOptions,
  controlPlaneOptions,
  controlPlaneSettings,
  type DeployerOptions,
} from "./control-plane-options.js";
export {
  everythingAllowed,
  managementStores,
  type Permissions,
  permissionsIn,
} from "./management.js";
