import { type ProbeOptions, printedUrl, probe, proxyFor } from "../probe/index.js";
import { checkApplication } from "./application-checks.js";
import type { Azure } from "./azure.js";
import { checkDeadLetter, checkMetrics } from "./delivery-checks.js";
import { type Finding, findings } from "./finding.js";
import {
  checkDestination,
  checkEventSubscription,
  checkFilters,
  checkProvider,
  type EventSubscription,
  registeredUrl,
} from "./subscription-checks.js";
import type { InputTarget, Target } from "./target.js";
import { checkTopic } from "./topic-checks.js";

export interface ExamineOptions {
  /** Whether to do the handshake. @default true */
  readonly handshake?: boolean;
  /** Probes this URL instead of the webhook's. */
  readonly probeUrl?: string;
  readonly probe: Pick<ProbeOptions, "origin" | "ca">;
  /** Names the proxy of the handshake. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs every check that applies to a deployment, in the order in which delivery depends on them. */
export async function examine(
  azure: Azure,
  target: Target,
  options: ExamineOptions,
): Promise<Finding[]> {
  const { input, output, subscriptionId } = target;
  const found: Finding[] = [];
  if (subscriptionId !== undefined) found.push(await checkProvider(azure, subscriptionId));
  if (input !== undefined) {
    const { findings: states, subscription } = await checkEventSubscription(azure, input);
    found.push(...states);
    if (subscription !== undefined) found.push(...checkDestination(subscription, input));
    if (options.handshake !== false)
      found.push(...(await sendHandshake(input, subscription, options)));
    found.push(...(await checkApplication(azure, input)));
    if (subscription !== undefined) {
      found.push(checkFilters(subscription, input));
      found.push(await checkDeadLetter(azure, subscription));
      const deliveries = await checkMetrics(azure, subscription);
      if (deliveries !== undefined) found.push(deliveries);
    }
  }
  if (output !== undefined) {
    found.push(...(await checkTopic(azure, output, subscriptionId, input?.scope)));
  }
  return found;
}

async function sendHandshake(
  { endpoint }: InputTarget,
  subscription: EventSubscription | undefined,
  { probeUrl, probe: probing, env }: ExamineOptions,
): Promise<Finding[]> {
  const finding = findings("handshake");
  const text = probeUrl ?? endpoint ?? (subscription && registeredUrl(subscription));
  if (text === undefined || !URL.canParse(text)) return [];
  const url = new URL(text);
  const proxy = proxyFor(url, env);
  const { last } = await probe(url, {
    ...probing,
    ...(proxy && { proxy }),
    attempts: 1,
    interval: 0,
    timeout: 30_000,
    attemptTimeout: 10_000,
  });
  if (last.outcome === "consent") return [finding.ok(`${printedUrl(url)} consents`)];
  return [
    finding.failed(
      `${printedUrl(url)} does not answer the handshake: ${last.observed}`,
      `cloud-eventgrid probe ${printedUrl(url)} explains what to check (${last.outcome})`,
    ),
  ];
}
