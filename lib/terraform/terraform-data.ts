import { TerraformElement, type TerraformMetaArguments, TerraformResource } from "cdktf";
import type { Construct } from "constructs";
import { addressOf } from "./identity.js";

export interface TerraformDataConfig extends TerraformMetaArguments {
  /** A change of these values replaces the resource and runs its provisioners again. */
  readonly triggersReplace?: Readonly<Record<string, string>>;
}

/**
 * Terraform's own `terraform_data`, for provisioners and values that are unknown in a plan.
 *
 * cdktf's own class starts the terraform program at every synthesis, once for each instance, which is
 * slow and fails if Terraform is not installed.
 */
export class TerraformData extends TerraformResource {
  readonly #triggersReplace: Readonly<Record<string, string>> | undefined;

  constructor(scope: Construct, id: string, { triggersReplace, ...config }: TerraformDataConfig) {
    super(scope, id, { terraformResourceType: "terraform_data", ...config });
    this.#triggersReplace = triggersReplace;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return this.#triggersReplace === undefined ? {} : { triggers_replace: this.#triggersReplace };
  }
}

interface DelayConfig extends TerraformMetaArguments {
  readonly seconds: number;
  /** A change of these values makes the next apply wait again. */
  readonly triggersReplace: Readonly<Record<string, string>>;
}

/**
 * Waits during an apply.
 *
 * The command needs no program besides the shell that Terraform starts: `sleep` exists wherever there
 * is a `sh`, and `ping` waits on Windows, where Terraform starts `cmd`.
 */
export function delay(scope: Construct, id: string, config: DelayConfig): TerraformData {
  const { seconds, ...rest } = config;
  const command = `sleep ${seconds} || ping -n ${seconds + 1} 127.0.0.1`;
  return new TerraformData(scope, id, {
    ...rest,
    provisioners: [{ type: "local-exec", command }],
  });
}

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
