import { type Azure, at } from "../../../azure/index.js";
import type { EventToFilter } from "../../../rules/filters/index.js";
import type { World } from "../../../rules/index.js";
import type { DeployedPull } from "../../deployment.js";
import type { Findings } from "../../finding.js";
import { checkClient } from "../client.js";
import { checkDeadLetter } from "../dead-letter.js";
import { checkKey, type Found, findByEndpoint, judgeEndpoint } from "../endpoint.js";
import { checkFilters } from "../filters.js";
import { checkProvider } from "../provider.js";
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
  const { namespaceEndpoint, namespaceId } = pull;
  const elsewhere = namespaceId === undefined ? subscriptionId : undefined;
  const found = findByEndpoint(azure, "namespace", namespaceEndpoint, namespaceId, elsewhere);
  const namespace = found.then((result) => ("check" in result ? undefined : result));
  const ofNamespace = (check: (namespace: Found) => Findings | Promise<Findings>) =>
    namespace.then((result) => (result === undefined ? [] : check(result)));

  const topic = namespace.then((result) => result && checkTopic(azure, result, pull));
  const queue = topic.then((result) =>
    result?.topicId === undefined ? undefined : checkQueue(azure, result.topicId, pull, now),
  );
  const ofQueue = (check: (queue: Queue) => Findings | Promise<Findings>) =>
    queue.then((result) => (result?.queue === undefined ? [] : check(result.queue)));

  return [
    ...(subscriptionId === undefined
      ? []
      : [namespace.then((result) => checkProvider(azure, subscriptionId, result !== undefined))]),
    found.then((result) =>
      "check" in result ? [result] : judgeEndpoint(azure, world, "namespace", result),
    ),
    topic.then((result) => result?.findings ?? []),
    queue.then((result) => result?.findings ?? []),
    ofNamespace(({ id, name }) => {
      if (pull.receiveWith !== "accessKey")
        return checkClient(azure, world, "receiver", pull.receiver, id, named(name));
      const ids = [id, `${id}/topics/${pull.topicName}`];
      const whose = "the namespace's or the topic's";
      return checkKey(azure, "receiver", "namespace", ids, whose, pull.accessKey);
    }),
    ofNamespace(({ id, name }) =>
      pull.publisher === undefined
        ? []
        : checkClient(azure, world, "publisher", pull.publisher, id, named(name)),
    ),
    ofQueue(({ properties, topicId }) =>
      checkFilters(azure, filterOf(properties), topicId, pull.eventTypes, event),
    ),
    ofQueue(({ delivery, namespaceId }) =>
      checkDeadLetter(azure, world, delivery.deadLetters, namespaceId),
    ),
    ofNamespace((result) => checkDropped(azure, result, now)),
  ];
}

const named = (name: string) => `the namespace "${name}"`;

/** The filter in the form of other event subscriptions. */
function filterOf(properties: unknown): object {
  return {
    includedEventTypes: at(properties, "filtersConfiguration", "includedEventTypes"),
    advancedFilters: at(properties, "filtersConfiguration", "filters"),
  };
}
