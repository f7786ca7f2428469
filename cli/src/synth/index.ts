/** Terraform modules in JSON, for projects without TypeScript. */
export { terraformModule } from "./terraform-module.js";
