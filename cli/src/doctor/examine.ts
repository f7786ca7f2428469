import { type Azure, at } from "../azure/index.js";
import { explain, type ProbeOptions, printedUrl, probe, proxyFor } from "../probe/index.js";
import {
  checkApplication,
  checkDeadLetter,
  checkDeliveries,
  checkDestination,
  checkEventSubscription,
  checkFilters,
  checkProvider,
  checkTopic,
  checkUnmatched,
  type EventSubscription,
  pullChecks,
  registeredUrl,
} from "./checks/index.js";
import type { EventToFilter } from "./filters.js";
import { type Finding, findings } from "./finding.js";
import type { InputTarget, Target } from "./target.js";

export interface ExamineOptions {
  /** Whether to do the handshake. @default true */
  readonly handshake?: boolean;
  /** Probes this URL instead of the webhook's. */
  readonly probeUrl?: string;
  readonly probe: Pick<ProbeOptions, "origin" | "ca">;
  /** Names the proxy of the handshake. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** An event that must pass the filter. */
  readonly event?: EventToFilter;
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

/**
 * Runs every check that applies to a deployment, side by side. The findings come in the order in which
 * delivery depends on them, each as soon as those before it are there.
 */
export async function* examine(
  azure: Azure,
  { input, output, pull, subscriptionId }: Target,
  options: ExamineOptions,
): AsyncGenerator<Finding> {
  const now = (options.now ?? Date.now)();
  const state = input === undefined ? undefined : checkEventSubscription(azure, input);
  const subscription = Promise.resolve(state).then((result) => result?.subscription);
  /** A check of the event subscription, which is left out if there is none. */
  const ofSubscription = (check: (found: EventSubscription) => Findings | Promise<Findings>) =>
    subscription.then((found) => (found === undefined ? [] : check(found)));

  const checks: Promise<Findings>[] = [];
  if (pull !== undefined) {
    checks.push(...pullChecks(azure, pull, subscriptionId, { event: options.event, now }));
  } else if (subscriptionId !== undefined) {
    checks.push(
      subscription.then((found) => checkProvider(azure, subscriptionId, found !== undefined)),
    );
  }
  if (input !== undefined && state !== undefined) {
    checks.push(
      state.then((result) => result.findings),
      ofSubscription((found) => checkDestination(azure, found, input)),
    );
    if (options.handshake !== false) {
      checks.push(subscription.then((found) => sendHandshake(input, found, options)));
    }
    checks.push(
      checkApplication(azure, input),
      ofSubscription(({ properties }) =>
        checkFilters(at(properties, "filter"), input.eventTypes, options.event),
      ),
      ofSubscription(({ scope }) => checkUnmatched(azure, scope, now)),
      ofSubscription((found) => checkDeadLetter(azure, found)),
      ofSubscription((found) => checkDeliveries(azure, found, now)),
    );
  }
  if (output !== undefined) checks.push(checkTopic(azure, output, subscriptionId, input?.scope));

  // A failure of one check must not become an unhandled rejection while another one is awaited.
  for (const check of checks) check.catch(() => undefined);
  for (const check of checks) yield* await check;
}

type Findings = readonly Finding[];

/** Event Grid's own limit for a handshake. */
const HANDSHAKE_TIMEOUT_MS = 30_000;

/** Sends the handshake, and once more if the webhook is unavailable, as during a deployment. */
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
    attempts: 2,
    interval: 1000,
    timeout: 2 * HANDSHAKE_TIMEOUT_MS,
    attemptTimeout: HANDSHAKE_TIMEOUT_MS,
    retryWhen: ({ outcome }) => outcome === "unavailable",
  });
  if (last.outcome === "consent") return [finding.ok(`${printedUrl(url)} consents`)];
  const { meaning, remedies } = explain(last.outcome, last.status);
  return [
    finding.failed(
      `${printedUrl(url)} does not answer the handshake: ${last.observed}. ${meaning}`,
      remedies.join(" "),
    ),
  ];
}
