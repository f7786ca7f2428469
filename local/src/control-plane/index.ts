export { ControlPlane } from "./control-plane.js";
export {
  type ControlPlaneOptions,
  controlPlaneOptions,
  controlPlaneSettings,
} from "./control-plane-options.js";
export { managementStores, permissionsIn } from "./management.js";
