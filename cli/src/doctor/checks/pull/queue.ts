import { type Azure, at, NAMESPACE_API, textAt, total } from "../../../azure/index.js";
import { counted } from "../../../numbers.js";
import { parentOf } from "../../../resource-id.js";
import { type Delivery, deliveryOf } from "../../../rules/index.js";
import type { DeployedPull } from "../../deployment.js";
import { type Finding, type Findings, findings } from "../../finding.js";
import { RECENT_HOURS, recentMetric } from "../deliveries.js";
import { type Found, judgeProvisioning } from "../endpoint.js";
import { judgeRetries, judgeState } from "../event-subscription.js";

/** An event subscription that is a queue. */
export interface Queue {
  readonly namespaceId: string;
  readonly topicId: string;
  readonly properties: unknown;
  readonly delivery: Delivery;
}

export async function checkTopic(
  azure: Azure,
  namespace: Found,
  { topicName }: DeployedPull,
): Promise<{ readonly findings: Finding[]; readonly topicId?: string }> {
  const finding = findings("namespace-topic");
  const topicId = `${namespace.id}/topics/${topicName}`;
  const answer = await azure.arm(topicId, NAMESPACE_API);
  if (answer.status === 404) {
    const remedy = "check the name of the topic, and run terraform apply";
    const message = `the namespace "${namespace.name}" has no topic "${topicName}"`;
    return { findings: [finding.failed(message, remedy)] };
  }
  if (answer.status !== 200) return { findings: [finding.unreadable("the topic", answer)] };
  const what = `the topic "${topicName}"`;
  const states = judgeProvisioning("namespace-topic", what, answer.body);
  return { findings: [finding.ok(`${what} exists`), ...states], topicId };
}

/** Whether the event subscription exists, and keeps events for receivers. */
export async function checkQueue(
  azure: Azure,
  topicId: string,
  name: string,
  pull: DeployedPull,
  now: number,
): Promise<{ readonly findings: Finding[]; readonly queue?: Queue }> {
  const finding = findings("event-subscription");
  const answer = await azure.arm(`${topicId}/eventSubscriptions/${name}`, NAMESPACE_API);
  if (answer.status === 404) {
    const remedy = "check the name of the event subscription, and run terraform apply";
    const message = `the topic "${pull.topicName}" has no event subscription "${name}"`;
    return { findings: [finding.failed(message, remedy)] };
  }
  if (answer.status !== 200) {
    return { findings: [finding.unreadable("the event subscription", answer)] };
  }
  const properties = at(answer.body, "properties");
  const mode = textAt(properties, "deliveryConfiguration", "deliveryMode");
  if (mode === undefined) return { findings: [finding.notShown(`how "${name}" delivers`)] };
  if (mode !== "Queue") {
    const message = `"${name}" pushes its events to a webhook, so that nothing can be received from it`;
    const remedy =
      "give the receiver an event subscription of its own, with CloudEventGridPullBinding";
    return { findings: [finding.failed(message, remedy)] };
  }
  const delivery = deliveryOf(properties, true);
  return {
    findings: [
      judgeState({ name, properties }, "keeps events for its receivers", () => "apply again", now),
      ...judgeRetries(name, delivery, ["maxDeliveryCount", "eventTimeToLiveMinutes"]),
      ...judgeLock(delivery, pull),
    ],
    queue: { namespaceId: parentOf(topicId), topicId, properties, delivery },
  };
}

function judgeLock(
  { lock }: Delivery,
  { receiveLockSeconds, eventSubscriptionName: name }: DeployedPull,
): Finding[] {
  if (receiveLockSeconds === undefined || lock === receiveLockSeconds) return [];
  const message = `"${name}" locks events for ${String(lock)} seconds, but the receiver takes ${receiveLockSeconds} for granted`;
  const remedy = "apply again, so that the service gets the current environment";
  return [findings("event-subscription").warning(message, remedy)];
}

/** Events of the namespace that were dropped. */
export async function checkDropped(
  azure: Azure,
  { id, name }: Found,
  now: number,
): Promise<Findings> {
  const finding = findings("deliveries");
  const answer = await recentMetric(azure, id, "DroppedEvents", now);
  const count = total(answer, "DroppedEvents");
  if (count === undefined) return finding.notReadable("the number of dropped events", answer);
  if (count === 0) return [];
  return finding.warning(
    `the namespace "${name}" dropped ${counted(count, "event")} in the last ${RECENT_HOURS} hours: rejected, delivered too often, or expired`,
    "read the receivers' logs, and set deadLetter on the bindings to keep such events",
  );
}
