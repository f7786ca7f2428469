export { ControlPlane } from "./control-plane.js";
export {
  type ControlPlaneOptions,
  controlPlaneOptions,
  controlPlaneSettings,
} from "./control-plane-options.js";
export {
  everythingAllowed,
  managementStores,
  type Permissions,
  permissionsIn,
} from "./management.js";
