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
  const { namespaceEndpoint, namespaceId, eventSubscriptionName: name } = pull;
  const elsewhere = namespaceId === undefined ? subscriptionId : undefined;
  const found = findByEndpoint(azure, "namespace", namespaceEndpoint, namespaceId, elsewhere);
  const namespace = found.then((result) => ("check" in result ? undefined : result));
  const ofNamespace = (check: (namespace: Found) => Findings | Promise<Findings>) =>
    namespace.then((result) => (result === undefined ? [] : check(result)));

  const topic = namespace.then((result) => result && checkTopic(azure, result, pull));
  const queue = topic.then((result) =>
    result?.topicId && name !== undefined
      ? checkQueue(azure, result.topicId, name, pull, now)
      : undefined,
  );
  const ofQueue = (check: (queue: Queue) => Findings | Promise<Findings>) =>
    queue.then((result) => (result?.queue === undefined ? [] : check(result.queue)));

  const client = (check: "receiver" | "publisher", { id, name: label }: Found) => {
    const method = check === "receiver" ? pull.receiveWith : pull.publishWith;
    if (method !== "accessKey")
      return checkClient(azure, world, check, pull[check], id, `the namespace "${label}"`);
    const ids = [id, `${id}/topics/${pull.topicName}`];
    return checkKey(
      azure,
      check,
      "namespace",
      ids,
      "the namespace's or the topic's",
      pull.accessKey,
    );
  };

  return [
    ...(subscriptionId === undefined
      ? []
      : [namespace.then((result) => checkProvider(azure, subscriptionId, result !== undefined))]),
    found.then((result) =>
      "check" in result ? [result] : judgeEndpoint(azure, world, "namespace", result),
    ),
    topic.then((result) => result?.findings ?? []),
    queue.then((result) => result?.findings ?? []),
    ofNamespace((found) => (name === undefined ? [] : client("receiver", found))),
    ofNamespace((found) =>
      name !== undefined && pull.publisher === undefined ? [] : client("publisher", found),
    ),
    ofQueue(({ properties, topicId }) =>
      checkFilters(world, filterOf(properties), topicId, pull.eventTypes, event),
    ),
    ofQueue(({ delivery, namespaceId }) =>
      checkDeadLetter(azure, world, delivery.deadLetters, namespaceId),
    ),
    ofNamespace((result) => checkDropped(azure, result, now)),
  ];
}

/** The filter in the form of other event subscriptions. */
function filterOf(properties: unknown): object {
  return {
    includedEventTypes: at(properties, "filtersConfiguration", "includedEventTypes"),
    advancedFilters: at(properties, "filtersConfiguration", "filters"),
  };
}
