export { ControlPlane } from "./control-plane.js";
export {
  type ControlPlaneOptions,
  controlPlaneOptions,
  controlPlaneSettings,
} from "./control-plane-options.js";
export {
  managementStores,
  type Permissions,
  permissionsIn,
} from "./management.js";
