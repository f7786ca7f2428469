import { minutesIn } from "../numbers.js";
import { get, UNKNOWN } from "./values.js";

/** Where events or dead letters go. */
export interface Target {
  /** `WebHook`, `StorageQueue`, `Queue` of a namespace, and so on. */
  readonly type: string;
  /** URL, or resource ID with the queue or the container. */
  readonly place: unknown;
  /** The managed identity that it is written with. */
  readonly identity: unknown;
  /** Azure's `properties` of it. */
  readonly settings: unknown;
}

/** The deliveries of an event subscription, of a topic or of a namespace. */
export interface Delivery {
  readonly destination: Target;
  readonly deadLetters: Target | undefined;
  readonly schema: unknown;
  readonly expiry: unknown;
  /** The time, in minutes, and the number of attempts after which Event Grid gives up. */
  readonly minutes: unknown;
  readonly attempts: unknown;
  /** Seconds that a consumer of a namespace has for an event. */
  readonly lock: unknown;
}

/** Reads the properties of an event subscription, in Resource Manager's form. */
export function deliveryOf(properties: unknown, isNamespace: boolean): Delivery {
  const configuration = get(properties, "deliveryConfiguration");
  const delivery = isNamespace
    ? (get(configuration, "push") ?? get(configuration, "queue"))
    : properties;
  const delivering = get(delivery, "deliveryWithResourceIdentity");
  const destination = get(delivery, "destination") ?? get(delivering, "destination");
  const storing =
    get(delivery, "deadLetterWithResourceIdentity") ??
    get(delivery, "deadLetterDestinationWithResourceIdentity");
  const container = get(delivery, "deadLetterDestination") ?? get(storing, "deadLetterDestination");
  const retry = get(delivery, "retryPolicy");
  const type = get(destination, "endpointType") ?? get(configuration, "deliveryMode");
  return {
    destination: targetOf(destination, delivering, typeof type === "string" ? type : "unknown"),
    deadLetters: container == null ? undefined : targetOf(container, storing, "StorageBlob"),
    schema: get(properties, "eventDeliverySchema"),
    expiry: get(properties, "expirationTimeUtc"),
    minutes: isNamespace
      ? minutesOf(get(delivery, "eventTimeToLive"))
      : (get(retry, "eventTimeToLiveInMinutes") ?? 1440),
    attempts: isNamespace
      ? (get(delivery, "maxDeliveryCount") ?? 10)
      : (get(retry, "maxDeliveryAttempts") ?? 30),
    lock: get(delivery, "receiveLockDurationInSeconds") ?? 60,
  };
}

function targetOf(target: unknown, identified: unknown, type: string): Target {
  const settings = get(target, "properties");
  const place = get(settings, "endpointUrl") ?? get(settings, "resourceId");
  const queue = get(settings, "queueName");
  const inner = queue ?? get(settings, "blobContainerName");
  const folder = queue == null ? "blobServices/default/containers" : "queueServices/default/queues";
  const isKnown = typeof place === "string" && typeof inner === "string";
  const whole = isKnown ? `${place}/${folder}/${inner}` : inner == null ? place : UNKNOWN;
  return { type, place: whole, identity: get(identified, "identity"), settings };
}

/** The application that a webhook's tokens are for. */
export function audienceOf({ settings }: Target): unknown {
  return get(settings, "azureActiveDirectoryApplicationIdOrUri") ?? undefined;
}

/** Minutes of an ISO 8601 duration; the text itself if it is something else. */
function minutesOf(text: unknown): unknown {
  return typeof text === "string" ? (minutesIn(text) ?? text) : text;
}
