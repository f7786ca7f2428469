import { fileURLToPath } from "node:url";
import { DataResource } from "cdktf";
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
export class ServiceProcess extends DataResource {
  constructor(scope: Construct, id: string, props: ServiceProcessProps) {
    const run = `node --import ${tsx} ${script}`;
    super(scope, id, {
      triggersReplace: props.environment,
      input: { logFile: props.logFile },
      provisioners: [
        {
          type: "local-exec",
          command: `${run} up ${props.module} ${props.logFile} http://127.0.0.1:${props.port}/readyz`,
          environment: props.environment,
        },
        {
          type: "local-exec",
          when: "destroy",
          command: `${run} down \${self.input.logFile}`,
        },
      ],
    });
  }
}
