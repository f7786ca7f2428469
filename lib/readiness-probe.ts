import { DataResource, Fn } from "cdktf";
import type { Construct } from "constructs";

/** How the webhook is probed before an event subscription is made. */
export interface WebhookProbe {
  /**
   * Seconds until the probe gives up. A webhook that starts up meanwhile is waited for.
   *
   * @default 120
   */
  readonly timeoutSeconds?: number;
  /**
   * Program and arguments; the webhook's URL is added to them.
   *
   * @default the `cloud-eventgrid` of the installed cloud-eventgrid-binding-runtime package
   */
  readonly command?: readonly string[];
}

/** Runs the runtime package's `cloud-eventgrid probe` when the webhook's URL is new or has changed. */
export function probeWebhook(construct: Construct, url: string, probe: WebhookProbe): DataResource {
  const { timeoutSeconds = 120, command } = probe;
  return new DataResource(construct, "probe", {
    triggersReplace: { url: Fn.sha256(url) },
    provisioners: [
      {
        type: "local-exec",
        interpreter: [...(command ?? defaultCommand(timeoutSeconds))],
        command: url,
      },
    ],
  });
}

/** `--no` keeps npx from fetching a package of that name when ours is not installed. */
function defaultCommand(timeoutSeconds: number): string[] {
  return ["npx", "--no", "--", "cloud-eventgrid", "probe", "--timeout", String(timeoutSeconds)];
}
