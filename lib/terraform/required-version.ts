import { TerraformElement } from "cdktf";

/**
 * Refuses releases of Terraform that lack what the constructs use: `terraform_data` with
 * preconditions, and `import` blocks. A `required_version` of the stack's overrides replaces it.
 */
export class RequiredVersion extends TerraformElement {
  override toTerraform(): unknown {
    return { terraform: { required_version: ">= 1.5" } };
  }
}
