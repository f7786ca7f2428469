import { createRequire } from "node:module";
import { join } from "node:path";
import { Annotations, Fn, Token } from "cdktf";
import {
  type CloudEnvironmentName,
  DEFAULT_EVENTS_PATH,
} from "cloud-eventgrid-binding-runtime/internal";
import type { Construct } from "constructs";
import { functionArgument, TerraformData } from "../terraform/index.js";

const authorityAndPath = /^https:\/\/([^/?#]*)(\/[^?#]*)?/;

/**
 * The path of the webhook's URL, if it is a literal: in
 * `https://orders.${environment.defaultDomain}/api/events` only the host is unknown.
 */
export function literalPath(url: string): string | undefined {
  const match = authorityAndPath.exec(url);
  if (match === null) return undefined;
  const path = match[2] ?? "/";
  if (Token.isUnresolved(path)) return undefined;
  if (path !== "/") return path;
  const rest = url.slice(match[0].length);
  return rest === "" || rest.startsWith("?") ? DEFAULT_EVENTS_PATH : undefined;
}

/**
 * The URL that is registered, from a binding's normal form: a token without a path gets the default
 * path, as literals have got it there.
 */
export function registeredUrl(url: string): string {
  if (!Token.isUnresolved(url)) return url;
  const path = literalPath(url);
  if (path === undefined) {
    return Token.asString(
      Fn.replace(
        functionArgument(url),
        "/^(https:[/][/][^/?#]+)[/]?([?].*)?$/",
        `$1${DEFAULT_EVENTS_PATH}$2`,
      ),
    );
  }
  return url.replace(authorityAndPath, (_, host: string) => `https://${host}${path}`);
}

const PROBE_PACKAGE = "cloud-eventgrid";

/**
 * The program that probes. Node looks for the package in the folder where Terraform runs and in those
 * above it. npx would also run a copy in its cache, and without a terminal it installs what is missing
 * without asking.
 */
const PROGRAM = [
  "node",
  "--eval",
  `require('${PROBE_PACKAGE}/bin/cloud-eventgrid.js')`,
  "--",
  PROBE_PACKAGE,
];
/** How long the probe waits for a webhook that is still starting, or that gets its certificate. */
const PROBE_SECONDS = "300";
const URL_VARIABLE = "CLOUD_EVENTGRID_PROBE_URL";

/**
 * Runs `cloud-eventgrid probe` when the webhook's URL is new or has changed.
 *
 * Terraform logs the command line, and a query string is a secret: so the program reads the URL from
 * its environment, and is started without a shell. A probe that fails runs again at the next apply.
 */
export function probeWebhook(
  construct: Construct,
  url: string,
  cloud: CloudEnvironmentName,
): TerraformData {
  warnUnlessInstalled(construct);
  const cloudOption = cloud === "public" ? [] : ["--cloud", cloud];
  return new TerraformData(construct, "probe", {
    triggersReplace: { url: Fn.sha256(functionArgument(url)) },
    provisioners: [
      {
        type: "local-exec",
        interpreter: [...PROGRAM, "probe", "--timeout", PROBE_SECONDS, ...cloudOption, "--url-env"],
        command: URL_VARIABLE,
        environment: { [URL_VARIABLE]: url },
      },
    ],
  });
}

function warnUnlessInstalled(construct: Construct): void {
  const fromProject = createRequire(join(process.cwd(), "stack.js"));
  try {
    fromProject.resolve(`${PROBE_PACKAGE}/package.json`);
  } catch {
    Annotations.of(construct).addWarning(
      `webhookProbe runs the package ${PROBE_PACKAGE}, which is not installed in this project: add it to ` +
        "the devDependencies, in the version of the constructs",
    );
  }
}
