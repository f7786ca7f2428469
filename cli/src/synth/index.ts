/** Terraform modules in HCL, for projects without TypeScript. */
export { moduleUsage } from "./module-readme.js";
export { terraformModule } from "./terraform-module.js";
