import { namesIn } from "../../base/index.js";
import type { DeadLetter, DeadLetterTarget } from "../delivery/index.js";
import type { NamespaceSubscription } from "./namespace-subscription.js";

/**
 * The dead letters of a namespace have another place and another form than those of topics.
 *
 * @param problem why the container cannot take them
 * @see https://learn.microsoft.com/azure/event-grid/dead-letter-event-subscriptions-namespace-topics
 */
export function namespaceDeadLetters(
  subscription: NamespaceSubscription,
  problem: (subscription: NamespaceSubscription) => string | undefined,
): DeadLetterTarget {
  const { name, topicId } = subscription;
  const names = namesIn(topicId, "Microsoft.EventGrid/namespaces/topics");
  return {
    subscription: name,
    destination: () => subscription.settings.deadLetter,
    problem: () => problem(subscription),
    folder: [...names, name].join("/"),
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
