import { fileURLToPath } from "node:url";
import { TerraformResource } from "cdktf";
import type { Construct } from "constructs";

const script = fileURLToPath(new URL("../start/process.ts", import.meta.url));
const tsx = import.meta.resolve("tsx");

export interface ServiceProcessProps {
  /** The service's module. */
  module: string;
  /** Variables of the service. */
  environment: Record<string, string>;
  /** Port that answers `/readyz` with 200 when the service is up. */
  port: string;
  /** File for the log of the service; its process ID is stored next to it. */
  logFile: string;
}

/**
 * Compute for a laptop: a process that Terraform starts, waits for, restarts when its environment
 * changes, and stops.
 */
export class ServiceProcess extends TerraformResource {
  constructor(scope: Construct, id: string, props: ServiceProcessProps) {
    const { module, environment, port, logFile } = props;
    // The interpreter takes the arguments as a list, so no shell splits a path at its spaces.
    const run = (...args: string[]) => ["node", "--import", tsx, script, ...args];
    super(scope, id, {
      // cdktf's own class for it needs the terraform program at synthesis.
      terraformResourceType: "terraform_data",
      provisioners: [
        {
          type: "local-exec",
          interpreter: run("up", module, logFile),
          command: `http://127.0.0.1:${port}/readyz`,
          environment,
        },
        {
          type: "local-exec",
          when: "destroy",
          interpreter: run("down"),
          command: "${self.input.log_file}",
        },
      ],
    });
    this.addOverride("input", { log_file: logFile });
    this.addOverride("triggers_replace", environment);
  }
}
