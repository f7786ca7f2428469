import { TerraformElement, type TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { addressOf } from "./address.js";

/**
 * An `import` block of Terraform 1.5 and later.
 *
 * cdktf's own `importFrom` starts the terraform program at every synthesis, which fails if Terraform is
 * not installed.
 */
export class ImportBlock extends TerraformElement {
  readonly #resource: TerraformResource;
  readonly #importId: string;

  constructor(scope: Construct, id: string, resource: TerraformResource, importId: string) {
    super(scope, id);
    this.#resource = resource;
    this.#importId = importId;
  }

  override toTerraform(): unknown {
    return { import: [{ id: this.#importId, to: addressOf(this.#resource) }] };
  }
}
