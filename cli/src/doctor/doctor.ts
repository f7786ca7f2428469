import { groupsOf } from "cloud-eventgrid-binding-runtime/internal";
import { isHttpUrl } from "../address.js";
import { Azure, type AzureDependencies } from "../azure/index.js";
import { handshakeOrigin } from "../cloud.js";
import { readText } from "../files.js";
import type { EventToFilter } from "../rules/filters/index.js";
import { CommandError, ExitCode, jsonText, type Terminal, UsageError } from "../terminal/index.js";
import { examine } from "./examine.js";
import type { Finding } from "./finding.js";
import { type DeploymentFlags, readDeployment } from "./read-deployment.js";
import { COLOURS, findingText, verdict } from "./report.js";

/** Dependencies that tests replace. */
export interface DoctorEnvironment extends AzureDependencies {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface DoctorFlags extends DeploymentFlags {
  readonly event?: string;
  readonly subject?: string;
  readonly probeUrl?: string;
  readonly handshake: boolean;
  readonly json?: true;
}

/**
 * Runs the checks, and prints each finding as soon as it is there.
 *
 * @returns the exit code
 */
export async function doctor(
  terminal: Terminal,
  file: string | undefined,
  flags: DoctorFlags,
  environment: DoctorEnvironment,
): Promise<number> {
  const { env, out, progress, columns } = terminal;
  const { json, handshake, probeUrl } = flags;
  const deployment = readDeployment(terminal, file, flags);
  const event = readKnownEvent(terminal, flags);
  if (probeUrl !== undefined && !isHttpUrl(probeUrl)) {
    throw new UsageError("--probe-url must be a URL such as http://127.0.0.1:9000/api/events");
  }
  const { name, cloud, input, pull } = deployment;
  const azure = await Azure.signIn(cloud, input?.tenantId, env, environment);
  const probe = { origin: handshakeOrigin(cloud), ca: environment.ca };
  const { now = Date.now } = environment;
  const findings: Finding[] = [];
  if (!json) out(`${name}\n`);
  progress("reading from Azure");
  const options = { handshake, probe, env, now, probeUrl, event };
  for await (const finding of examine(azure, deployment, options)) {
    findings.push(finding);
    if (!json) out(findingText(finding, columns), COLOURS);
    progress("reading from Azure");
  }
  const failed = findings.some(({ status }) => status === "failed");
  const unknown = findings.some(({ status }) => status === "unknown");
  // A definition that only publishes says nothing of what becomes of the events.
  const purpose = (input ?? pull?.eventSubscriptionName) === undefined ? "publishing" : "delivery";
  out(
    json
      ? jsonText({ name, ok: !failed && !unknown, findings })
      : `\n${verdict(findings, purpose)}\n`,
  );
  return failed ? ExitCode.problems : unknown ? ExitCode.unknown : ExitCode.ok;
}

/** The event that must pass the filter: a whole one, or what is known of it. */
function readKnownEvent(
  { directory }: Terminal,
  { event: file, subject, eventType = [] }: DoctorFlags,
): EventToFilter | undefined {
  const [type, ...others] = eventType;
  if (file === undefined) {
    if (subject === undefined) return undefined;
    const known = { subject, ...(others.length === 0 && type !== undefined && { type }) };
    return { attributes: known, isPartial: true };
  }
  if (subject !== undefined) throw new UsageError("give --event or --subject, not both");
  const text = readText(directory, file);
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (error) {
    // The whole message quotes the event.
    const [at] = groupsOf(/( at position \d*)/, String(error));
    throw new CommandError(`${file} is not JSON${at && `: something is wrong${at}`}`);
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) {
    throw new CommandError(`${file} must contain one event, a JSON object`);
  }
  return { attributes: { ...event }, isPartial: false };
}
