import type { DeadLetter, DeadLetterTarget } from "../delivery/index.js";
import type { NamespaceSubscription } from "./namespace-subscription.js";

/**
 * The dead letters of a namespace have another place and another form than those of topics.
 *
 * @param mayWrite whether the namespace's identity may write to the container
 * @see https://learn.microsoft.com/azure/event-grid/dead-letter-event-subscriptions-namespace-topics
 */
export function namespaceDeadLetters(
  subscription: NamespaceSubscription,
  mayWrite: (subscription: NamespaceSubscription) => boolean,
): DeadLetterTarget {
  const { name, topicId } = subscription;
  const [, namespace, topic] = /\/([^/]+)\/topics\/([^/]+)$/.exec(topicId) ?? [];
  return {
    subscription: name,
    destination() {
      const { deadLetter } = subscription.settings;
      return deadLetter && mayWrite(subscription) ? deadLetter : undefined;
    },
    folder: `${namespace}/${topic}/${name}`,
    reasonOf,
    recordOf,
  };
}

function recordOf(deadLetter: DeadLetter): string {
  const properties = {
    deadletterreason: deadLetter.deadletterreason,
    deliveryattempts: deadLetter.deliveryattempts,
    deliveryresult: deadLetter.lastdeliveryoutcome,
    publishutc: deadLetter.publishtime,
    deliveryattemptutc: deadLetter.lastdeliveryattempttime,
  };
  return `{"deadLetterProperties":${JSON.stringify(properties)},"event":${deadLetter.event.json}}`;
}

/** The words of namespaces for the reasons of topics. */
function reasonOf(reason: string): string {
  if (reason.startsWith("UndeliverableDueTo")) return "Undeliverable due to client error";
  return REASONS[reason] ?? reason;
}

const REASONS: Readonly<Record<string, string>> = {
  MaxDeliveryAttemptsExceeded: "Maximum delivery attempts was exceeded.",
  TimeToLiveExceeded: "Time to live was exceeded.",
  Rejected: "Undeliverable due to client error",
};
