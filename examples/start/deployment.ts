import type { LocalCloud } from "cloud-eventgrid-local";
import type { Timeline } from "./timeline.js";

/** Something that gets a synthesized stack deployed, brought up to date, and taken down. */
export interface Deployment {
  /** Deploys what is synthesized now; gives the environment that the service was started with. */
  apply(): Promise<Record<string, string>>;
  destroy(): Promise<void>;
  /** Lets go of what the deployment itself holds; the stack stays as it is. */
  stop(): Promise<void>;
}

/** What every way of deploying needs to know. */
export interface DeploymentPlace {
  readonly cloud: LocalCloud;
  readonly outdir: string;
  readonly stack: string;
  readonly timeline: Timeline;
  /** Gives up what is going on. */
  readonly signal: AbortSignal;
}
