import { Fn } from "cdktf";
import type { CloudEnvironmentName } from "cloud-eventgrid-binding-runtime/binding";
import type { Construct } from "constructs";
import { functionArgument, TerraformData } from "../terraform/index.js";

/** How the webhook is probed before an event subscription is made. */
export interface WebhookProbe {
  /**
   * Seconds until the probe gives up. A webhook that starts up meanwhile is waited for.
   *
   * @default 120
   */
  readonly timeoutSeconds?: number;
  /**
   * The probing program, and arguments before its own.
   *
   * @default `npx cloud-eventgrid`: the installed package, or the latest from the registry
   */
  readonly command?: readonly string[];
  /**
   * Further options of `cloud-eventgrid probe`, such as `["--interval", "10"]`.
   *
   * @default none
   */
  readonly options?: readonly string[];
}

/** `--yes` because nobody can answer npx's question during an apply. */
const NPX = ["npx", "--yes", "--", "cloud-eventgrid"];
const URL_VARIABLE = "CLOUD_EVENTGRID_PROBE_URL";

/**
 * Runs `cloud-eventgrid probe` when the webhook's URL is new or has changed.
 *
 * The program is started without a shell, and takes the URL from its environment: Terraform logs
 * what it starts, and a query string is a secret. A probe that fails runs again at the next apply.
 */
export function probeWebhook(
  construct: Construct,
  url: string,
  cloud: CloudEnvironmentName,
  { timeoutSeconds = 120, command = NPX, options = [] }: WebhookProbe,
): TerraformData {
  const cloudOption = cloud === "public" ? [] : ["--cloud", cloud];
  const timeout = ["--timeout", String(timeoutSeconds)];
  return new TerraformData(construct, "probe", {
    triggersReplace: { url: Fn.sha256(functionArgument(url)) },
    provisioners: [
      {
        type: "local-exec",
        interpreter: [...command, "probe", ...timeout, ...cloudOption, ...options, "--url-env"],
        command: URL_VARIABLE,
        environment: { [URL_VARIABLE]: url },
      },
    ],
  });
}
