import type { LocalCloud } from "cloud-eventgrid-local";
import type { Timeline } from "./timeline.js";

/** A way to deploy, update and destroy a synthesized stack. */
export interface Deployment {
  /** Deploys the current synthesized stack; returns the environment that the service got. */
  apply(): Promise<Record<string, string>>;
  destroy(): Promise<void>;
  /** Releases the resources of the deployment object; the stack stays deployed. */
  stop(): Promise<void>;
}

/** The options of every deployment. */
export interface DeploymentPlace {
  readonly cloud: LocalCloud;
  readonly outdir: string;
  readonly stack: string;
  readonly timeline: Timeline;
  /** What is worth knowing about the order of the first apply. */
  readonly order?: string;
  /** Aborts the current operation. */
  readonly signal: AbortSignal;
}
