import { type Azure, at } from "../azure/index.js";
import type { EventToFilter } from "../rules/filters/index.js";
import { AzureWorld } from "./azure-world.js";
import {
  checkApplication,
  checkDeadLetter,
  checkDeliveries,
  checkDestination,
  checkEventSubscription,
  checkFilters,
  checkHandshake,
  checkProvider,
  checkSource,
  checkTopic,
  checkUnmatched,
  type EventSubscription,
  type HandshakeSettings,
  pullChecks,
} from "./checks/index.js";
import type { Deployment } from "./deployment.js";
import { type Finding, type Findings, findings } from "./finding.js";

export interface ExamineOptions extends HandshakeSettings {
  /** Whether to do the handshake. @default true */
  readonly handshake?: boolean;
  /** An event that must pass the filter. */
  readonly event?: EventToFilter | undefined;
}

const NO_HANDSHAKE = findings("handshake").note(
  "no handshake was done",
  "leave out --no-handshake",
);

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
  const world = new AzureWorld(azure);
  const state = input === undefined ? undefined : checkEventSubscription(azure, world, input, now);
  const subscription = Promise.resolve(state).then((result) => result?.subscription);
  /** A check of the event subscription, which is left out if there is none. */
  const ofSubscription = (check: (found: EventSubscription) => Findings | Promise<Findings>) =>
    subscription.then((found) => (found === undefined ? [] : check(found)));

  const checks: Promise<Findings>[] = [];
  if (pull !== undefined) {
    checks.push(
      ...pullChecks(azure, world, pull, subscriptionId, {
        event: options.event,
        now,
      }),
    );
  } else if (subscriptionId !== undefined) {
    checks.push(
      subscription.then((found) =>
        checkProvider(azure, subscriptionId, found !== undefined, input?.tenantId),
      ),
    );
  }
  if (input !== undefined && state !== undefined) {
    checks.push(
      state.then((result) => result.findings),
      subscription.then((found) => checkSource(azure, world, input.scope, found)),
      ofSubscription((found) => checkDestination(azure, world, found, input)),
      options.handshake === false
        ? Promise.resolve(NO_HANDSHAKE)
        : subscription.then((found) => checkHandshake(input, found, options)),
      checkApplication(azure, world, input),
      ofSubscription(({ properties, scope }) =>
        checkFilters(world, at(properties, "filter"), scope, input.eventTypes, options.event),
      ),
      ofSubscription(({ scope }) => checkUnmatched(azure, scope, now)),
      ofSubscription(({ delivery, scope }) =>
        checkDeadLetter(azure, world, delivery.deadLetters, scope),
      ),
      ofSubscription((found) => checkDeliveries(azure, found, now)),
    );
  }
  if (output !== undefined)
    checks.push(checkTopic(azure, world, output, subscriptionId, input?.scope));

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
