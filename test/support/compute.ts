import { TerraformResource } from "cdktf";
import type { Construct } from "constructs";

/**
 * A resource that represents the compute behind a webhook.
 *
 * cdktf's `DataResource` would start the terraform program at every synthesis.
 */
export class Compute extends TerraformResource {
  constructor(scope: Construct, id: string) {
    super(scope, id, { terraformResourceType: "terraform_data" });
  }

  get id(): string {
    return this.getStringAttribute("id");
  }
}
