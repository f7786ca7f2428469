export { ControlPlane } from "./control-plane.js";
export {
  type ControlPlaneOptions,
  controlPlaneOptions,
  controlPlaneSettings,
  type DeployerOptions,
} from "./control-plane-options.js";
