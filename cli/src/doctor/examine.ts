import { type Azure, at } from "../azure/index.js";
import type { EventToFilter } from "../plan/filters/index.js";
import {
  checkApplication,
  checkDeadLetter,
  checkDeliveries,
  checkDestination,
  checkEventSubscription,
  checkFilters,
  checkHandshake,
  checkProduction,
  checkProvider,
  checkTopic,
  checkUnmatched,
  type EventSubscription,
  type HandshakeSettings,
  pullChecks,
} from "./checks/index.js";
import type { Deployment } from "./deployment.js";
import type { Finding, Findings } from "./finding.js";

export interface ExamineOptions extends HandshakeSettings {
  /** Whether to do the handshake. @default true */
  readonly handshake?: boolean;
  /** An event that must pass the filter. */
  readonly event?: EventToFilter | undefined;
  /** Whether to recommend what is missing for production. @default false */
  readonly production?: boolean | undefined;
}

/**
 * Runs every check that applies to a deployment, side by side. The findings come in the order in which
 * delivery depends on them, each as soon as those before it are there.
 */
export async function* examine(
  azure: Azure,
  { input, output, pull, subscriptionId }: Deployment,
  options: ExamineOptions,
): AsyncGenerator<Finding> {
  const now = options.now();
  const state = input === undefined ? undefined : checkEventSubscription(azure, input);
  const subscription = Promise.resolve(state).then((result) => result?.subscription);
  /** A check of the event subscription, which is left out if there is none. */
  const ofSubscription = (check: (found: EventSubscription) => Findings | Promise<Findings>) =>
    subscription.then((found) => (found === undefined ? [] : check(found)));

  const checks: Promise<Findings>[] = [];
  if (pull !== undefined) {
    checks.push(
      ...pullChecks(azure, pull, subscriptionId, {
        event: options.event,
        now,
        production: options.production === true,
      }),
    );
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
      checks.push(subscription.then((found) => checkHandshake(input, found, options)));
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

  if (options.production) checks.push(ofSubscription(({ scope }) => checkProduction(azure, scope)));

  // A failure of one check must not become an unhandled rejection while another one is awaited.
  for (const check of checks) check.catch(() => undefined);
  // Several checks come across an Azure subscription that is missing.
  const seen = new Set<string>();
  for (const check of checks) {
    for (const finding of [await check].flat()) {
      const text = `${finding.check} ${finding.message}`;
      if (!seen.has(text)) yield finding;
      seen.add(text);
    }
  }
}
