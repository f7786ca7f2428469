/** Terraform modules in JSON, for projects without TypeScript. */
export { type ModuleImport, terraformModule } from "./terraform-module.js";
