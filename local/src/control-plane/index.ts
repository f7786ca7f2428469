export { ControlPlane, type ControlPlaneParts } from "./control-plane.js";
export type { ControlPlaneOptions, DeployerOptions } from "./control-plane-options.js";
