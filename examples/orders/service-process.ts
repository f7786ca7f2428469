import { fileURLToPath } from "node:url";
import { TerraformResource } from "cdktf";
import type { Construct } from "constructs";

const script = fileURLToPath(new URL("../start/process.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");

export interface ServiceProcessProps {
  /** The service's module. */
  module: string;
  /** What the service finds in its environment. */
  environment: Record<string, string>;
  /** Port that answers `/readyz` with 200 when the service is up. */
  port: string;
  /** File that the service's log goes to; its process ID is kept beside it. */
  logFile: string;
}

/**
 * Compute for a laptop: a process that Terraform starts, waits for, restarts when its environment
 * changes, and ends.
 */
export class ServiceProcess extends TerraformResource {
  constructor(scope: Construct, id: string, props: ServiceProcessProps) {
    const run = `node --import ${tsx} ${script}`;
    super(scope, id, {
      // cdktf's own class for it needs the terraform program at synthesis.
      terraformResourceType: "terraform_data",
      provisioners: [
        {
          type: "local-exec",
          command: `${run} up ${props.module} ${props.logFile} http://127.0.0.1:${props.port}/readyz`,
          environment: props.environment,
        },
        {
          type: "local-exec",
          when: "destroy",
          command: `${run} down \${self.input.log_file}`,
        },
      ],
    });
    this.addOverride("input", { log_file: props.logFile });
    this.addOverride("triggers_replace", props.environment);
  }
}
