import { field, KIB, parentOf, propertiesIn, sameText, textAt } from "../../base/index.js";
import type { EventDestination } from "./destination.js";

/** Finds the body of a resource that Resource Manager stores; `undefined` if there is none. */
export type BodyOf = (id: string) => object | undefined;

/**
 * Largest message in KiB. A namespace that Resource Manager does not have counts as one of the
 * Standard tier.
 *
 * @see https://learn.microsoft.com/azure/service-bus-messaging/service-bus-quotas
 * @see https://learn.microsoft.com/azure/event-hubs/event-hubs-quotas
 * @see https://learn.microsoft.com/azure/storage/queues/storage-queues-introduction
 */
function limitOf({ endpointType, properties }: EventDestination, bodyOf: BodyOf): number {
  // 64 KiB, of which Base64 takes a quarter.
  if (endpointType === "StorageQueue") return 48;
  if (endpointType === "MonitorAlert") return 1024;
  // Only that of a storage queue may be missing.
  const resourceId = String(properties.resourceId);
  const namespace = parentOf(resourceId);
  const tier = textAt(bodyOf(namespace), "sku", "name")?.toLowerCase();
  if (endpointType === "EventHub") return tier === "basic" ? 256 : 1024;
  if (endpointType === "NamespaceTopic") return 1024;
  if (tier !== "premium") return 256;
  const written = field(propertiesIn(bodyOf(resourceId)), "maxMessageSizeInKilobytes");
  return Math.max(1024, Number(written) || 0);
}

/** Why a message is too large for its destination, whose limit includes the properties. */
export function sizeProblem(
  destination: EventDestination,
  body: string,
  properties: Readonly<Record<string, string>>,
  bodyOf: BodyOf,
): string | undefined {
  const bytes = Buffer.byteLength(body + Object.entries(properties).flat().join(""));
  const limit = limitOf(destination, bodyOf) * KIB;
  return bytes > limit
    ? `The message has ${bytes} bytes. A ${destination.endpointType} takes at most ${limit} bytes here.`
    : undefined;
}

/** What can be disabled. */
const NOUNS: Readonly<Record<string, string>> = {
  ServiceBusQueue: "queue",
  ServiceBusTopic: "topic",
  EventHub: "event hub",
};

/**
 * What keeps a queue or topic of Service Bus or an event hub from taking a message, as
 * `lastDeliveryOutcome` names it, by what Resource Manager stores of it.
 *
 * @see https://learn.microsoft.com/azure/event-grid/delivery-and-retry#delivery-event-formats
 */
export function entityProblem(
  { endpointType, properties: { resourceId } }: EventDestination,
  properties: Readonly<Record<string, string>>,
  bodyOf: BodyOf,
):
  | { readonly failure: "SessionQueueNotSupported" | "Disabled"; readonly message: string }
  | undefined {
  const noun = NOUNS[endpointType];
  if (noun === undefined) return undefined;
  const entity = propertiesIn(bodyOf(String(resourceId)));
  const status = textAt(entity, "status");
  if (sameText(status, "Disabled") || sameText(status, "SendDisabled")) {
    return { failure: "Disabled", message: `the ${noun} is disabled` };
  }
  const hasSession = Object.keys(properties).some((name) => sameText(name, "SessionId"));
  const needsSession = endpointType === "ServiceBusQueue" && entity.requiresSession === true;
  if (hasSession || !needsSession) return undefined;
  const message = "the queue requires sessions: add the delivery property SessionId";
  return { failure: "SessionQueueNotSupported", message };
}
