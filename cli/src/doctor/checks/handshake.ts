import { isLoopback, MINUTE_MS } from "cloud-eventgrid-binding-runtime/internal";
import { isPrivate, socketHost } from "../../address.js";
import { explain, HANDSHAKE_TIMEOUT_MS, type ProbeOptions, probe } from "../../probe/index.js";
import { proxyFor } from "../../proxy.js";
import { shownUrl } from "../../terminal/index.js";
import type { DeployedInput } from "../deployment.js";
import { type Finding, type Findings, findings } from "../finding.js";
import { type EventSubscription, registeredUrl } from "./event-subscription.js";

export interface HandshakeSettings {
  /** Probes this URL instead of the webhook's. */
  readonly probeUrl?: string | undefined;
  readonly probe: Pick<ProbeOptions, "origin" | "ca">;
  /** Names the proxy of the handshake. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Whether the webhook consents, Event Grid can reach its address, and its clock is right. The handshake
 * is repeated once if the webhook is unavailable, as during a deployment.
 */
export async function checkHandshake(
  { endpoint }: DeployedInput,
  subscription: EventSubscription | undefined,
  { probeUrl, probe: probing, env, now }: HandshakeSettings,
): Promise<Findings> {
  const finding = findings("handshake");
  const webhook = endpoint ?? (subscription && registeredUrl(subscription));
  const text = probeUrl ?? webhook;
  if (text === undefined) return subscription === undefined ? [] : finding.notShown("its URL");
  if (!URL.canParse(text)) return finding.failed(`"${text}" is no URL`, "correct the URL");
  const url = new URL(text);
  const problems = webhook === undefined ? [] : judgeHost(webhook, env);
  // Whether a private address answers this machine says nothing about Event Grid.
  if (problems.length > 0 && probeUrl === undefined) return problems;
  const proxy = proxyFor(url, env);
  const { last } = await probe(url, {
    ...probing,
    proxy,
    attempts: 2,
    interval: 1000,
    timeout: 2 * HANDSHAKE_TIMEOUT_MS,
    attemptTimeout: HANDSHAKE_TIMEOUT_MS,
    retryWhen: ({ outcome }) => outcome === "unavailable",
  });
  if (last.outcome !== "consent") {
    const { meaning, remedies } = explain(last);
    const message = `${shownUrl(url)} does not answer the handshake: ${last.observed}. ${meaning}`;
    const isForwarded = probeUrl === undefined && last.outcome === "name-not-found";
    const remedy = isForwarded && env.ARM_METADATA_HOSTNAME ? LOCAL_REMEDY : remedies.join(" ");
    // Restrictions that refuse this machine may admit Event Grid.
    const judged = last.cause === "access-restrictions" ? finding.unknown : finding.failed;
    return [...problems, judged(message, remedy)];
  }
  for (const note of last.notes) {
    problems.push(finding.warning(`${shownUrl(url)}: ${note}`, "answer as the listener does"));
  }
  problems.push(...judgeClock(url, last.date, now()));
  if (probeUrl === undefined) problems.push(...judgeAddress(url, last.address, env));
  return problems.length > 0 ? problems : [finding.ok(`${shownUrl(url)} consents`)];
}

/** The ingress of a local Azure forwards host names that have no address. */
const LOCAL_REMEDY =
  "If this is a local Azure, pass the service's own address: --probe-url http://127.0.0.1:PORT/PATH";

/** Names that no public DNS server knows. */
const PRIVATE_NAMES = ["localhost", "local", "internal", "home.arpa"];

/** Whether the host of the webhook's URL is certainly private. */
function judgeHost(text: string, env: HandshakeSettings["env"]): Finding[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const host = socketHost(url);
  const isPrivateName = PRIVATE_NAMES.some((name) => `.${host}`.endsWith(`.${name}`));
  if (!isPrivate(host) && !isPrivateName) return [];
  // A local Azure runs beside the webhook.
  if (isLoopback(url) && env.ARM_METADATA_HOSTNAME) return [];
  return [
    findings("handshake").failed(
      `Event Grid cannot reach ${host}, which is a private address: it calls from the internet`,
      PUBLISH,
    ),
  ];
}

/** Whether the name led this machine to a private address; Event Grid may be led to another one. */
export function judgeAddress(
  url: URL,
  address: string | undefined,
  env: HandshakeSettings["env"],
): Finding[] {
  if (address === undefined || !isPrivate(address)) return [];
  const isOwn = address.startsWith("127.") || address === "::1";
  if (isOwn && env.ARM_METADATA_HOSTNAME) return [];
  return [
    findings("handshake").unknown(
      `${shownUrl(url)} consents, but its name leads from here to ${address}, which Event Grid cannot reach`,
      `run the command outside of your network; if the name leads to a private address there, too: ${PUBLISH}`,
    ),
  ];
}

const PUBLISH = "register the public URL of an ingress, or pull the events from a namespace";

/** Beyond this, tokens of Event Grid seem to be expired or not yet valid. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS;

/** Whether the webhook's clock is right, as its answer shows it. */
function judgeClock(url: URL, date: string | undefined, now: number): Finding[] {
  const ahead = Date.parse(String(date)) - now;
  if (Number.isNaN(ahead) || Math.abs(ahead) <= CLOCK_TOLERANCE_MS) return [];
  const minutes = Math.round(Math.abs(ahead) / MINUTE_MS);
  const amount = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  const direction = ahead > 0 ? "ahead of" : "behind";
  return [
    findings("handshake").failed(
      `the clock of ${shownUrl(url)} is ${amount} ${direction} that of this machine: the listener refuses valid tokens`,
      "synchronize the wrong one of the two clocks",
    ),
  ];
}
