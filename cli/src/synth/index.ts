/** Terraform modules in HCL, for projects without TypeScript. */
export { moduleUsage } from "./module-call.js";
export { terraformModule } from "./terraform-module.js";
