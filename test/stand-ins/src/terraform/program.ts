import { findTerraform } from "../../../../cli/src/project/terraform-program.js";
import { TerraformMissingError } from "./errors.js";

export { findTerraform };

/** @throws TerraformMissingError when there is neither Terraform nor OpenTofu */
export function requireTerraform(): string {
  const program = findTerraform();
  if (program === undefined) throw new TerraformMissingError();
  return program.path;
}
