import type { TerraformMetaArguments } from "cdktf";
import type { Construct } from "constructs";
import { TerraformData } from "./terraform-data.js";

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
