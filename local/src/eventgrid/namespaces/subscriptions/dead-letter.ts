import type { DeadLetters, UndeliverableEvent } from "../../delivery/index.js";
import type { NamespaceSubscription } from "./namespace-subscription.js";

/** Writes the dead letters of one subscription. */
export interface NamespaceDeadLetters {
  /** Whether events are written instead of dropped. */
  takes(): boolean;
  put(events: readonly UndeliverableEvent[]): Promise<void>;
}

/**
 * The dead letters of a namespace have another place and another form than those of topics.
 *
 * @param mayWrite whether the namespace's identity may write to the container
 * @see https://learn.microsoft.com/azure/event-grid/dead-letter-event-subscriptions-namespace-topics
 */
export function namespaceDeadLetters(
  subscription: NamespaceSubscription,
  deadLetters: DeadLetters,
  mayWrite: (subscription: NamespaceSubscription) => boolean,
): NamespaceDeadLetters {
  const takes = () => subscription.settings.deadLetter !== undefined && mayWrite(subscription);
  return {
    takes,
    async put(events) {
      const { deadLetter: destination } = subscription.settings;
      if (!destination || !takes()) return;
      const [, namespace, topic] = /\/([^/]+)\/topics\/([^/]+)$/.exec(subscription.topicId) ?? [];
      const { name } = subscription;
      const folder = [namespace, topic, name].join("/");
      const worded = events.map(({ event, reason }) => ({
        event,
        reason: { ...reason, deadletterreason: reasonOf(reason.deadletterreason) },
      }));
      await deadLetters.write({ subscription: name, destination, folder, recordOf }, worded);
    },
  };
}

function recordOf({ event, reason }: UndeliverableEvent): string {
  const properties = {
    deadletterreason: reason.deadletterreason,
    deliveryattempts: reason.deliveryattempts,
    deliveryresult: reason.lastdeliveryoutcome,
    publishutc: reason.publishtime,
    deliveryattemptutc: reason.lastdeliveryattempttime,
  };
  return `{"deadLetterProperties":${JSON.stringify(properties)},"event":${event.json}}`;
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
