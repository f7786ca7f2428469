/** Terraform modules in JSON, for projects without TypeScript. */
export { moduleReadme, moduleUsage } from "./module-readme.js";
export { terraformModule } from "./terraform-module.js";
