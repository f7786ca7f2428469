import { type Azure, at } from "../../../azure/index.js";
import type { EventToFilter } from "../../../rules/filters/index.js";
import type { World } from "../../../rules/index.js";
import type { DeployedPull } from "../../deployment.js";
import type { Findings } from "../../finding.js";
import { checkClient } from "../client.js";
import { checkDeadLetter } from "../dead-letter.js";
import { checkFilters } from "../filters.js";
import { checkProvider } from "../provider.js";
import { checkKey } from "./access.js";
import { checkNamespace, type Namespace } from "./namespace.js";
import { checkDropped, checkQueue, checkTopic, type Queue } from "./queue.js";

interface PullCheckOptions {
  readonly event: EventToFilter | undefined;
  readonly now: number;
}

/**
 * The checks of a pull binding, in the order in which delivery depends on them. Those of a resource
 * that does not exist are left out.
 */
export function pullChecks(
  azure: Azure,
  world: World,
  pull: DeployedPull,
  subscriptionId: string | undefined,
  { event, now }: PullCheckOptions,
): Promise<Findings>[] {
  const found = checkNamespace(azure, world, pull, subscriptionId);
  const ofNamespace = (check: (namespace: Namespace) => Findings | Promise<Findings>) =>
    found.then(({ namespace }) => (namespace === undefined ? [] : check(namespace)));

  const topic = found.then(({ namespace }) => namespace && checkTopic(azure, namespace, pull));
  const queue = topic.then((result) =>
    result?.topicId === undefined ? undefined : checkQueue(azure, result.topicId, pull, now),
  );
  const ofQueue = (check: (queue: Queue) => Findings | Promise<Findings>) =>
    queue.then((result) => (result?.queue === undefined ? [] : check(result.queue)));

  return [
    ...(subscriptionId === undefined
      ? []
      : [
          found.then(({ namespace }) =>
            checkProvider(azure, subscriptionId, namespace !== undefined),
          ),
        ]),
    found.then(({ findings }) => findings),
    topic.then((result) => result?.findings ?? []),
    queue.then((result) => result?.findings ?? []),
    ofNamespace((namespace) =>
      pull.usesEntra
        ? checkClient(world, "receiver", pull.receiver, namespace.id, nameOf(namespace))
        : checkKey(azure, namespace, pull),
    ),
    ofNamespace((namespace) =>
      pull.publisher === undefined
        ? []
        : checkClient(world, "publisher", pull.publisher, namespace.id, nameOf(namespace)),
    ),
    ofQueue(({ properties, topicId }) =>
      checkFilters(azure, filterOf(properties), topicId, pull.eventTypes, event),
    ),
    ofQueue(({ delivery, namespaceId }) =>
      checkDeadLetter(azure, world, delivery.deadLetters, namespaceId),
    ),
    ofNamespace((namespace) => checkDropped(azure, namespace, now)),
  ];
}

const nameOf = ({ name }: Namespace) => `the namespace "${name}"`;

/** The filter in the form of other event subscriptions. */
function filterOf(properties: unknown): object {
  return {
    includedEventTypes: at(properties, "filtersConfiguration", "includedEventTypes"),
    advancedFilters: at(properties, "filtersConfiguration", "filters"),
  };
}
