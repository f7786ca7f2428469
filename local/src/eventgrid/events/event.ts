/** The schema of the events that a topic accepts. */
export type InputSchema = "CloudEventSchemaV1_0" | "EventGridSchema" | "CustomEventSchema";

/** An event that Event Grid has accepted, kept as the exact text that the publisher sent. */
export interface AcceptedEvent {
  readonly id: string;
  readonly type: string;
  /** The `source` of a CloudEvent, otherwise the topic's resource ID. */
  readonly source: string;
  readonly subject: string | undefined;
  /** ISO 8601; `undefined` for a CloudEvent without one. */
  readonly time: string | undefined;
  /** Version of the data in the Event Grid schema. */
  readonly dataVersion?: string | undefined;
  readonly schema: InputSchema;
  /** The event as JSON, byte for byte. */
  readonly json: string;
  readonly sizeInBytes: number;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly publishedAt: number;
}

/** Whether one event subscription wanted an event. */
export interface Offer {
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  readonly subscription: string;
  /** The filter that kept the event out, for example `subjectBeginsWith "orders/"`. */
  readonly filteredBy: string | undefined;
}

/** An event subscription in the scope of an event that was not ready to get it. */
export interface UnreadySubscription {
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  readonly subscription: string;
  /** Its state when the event was accepted, for example `AwaitingManualAction`. */
  readonly state: string;
}

/**
 * Where an accepted event came from: a publisher, `emit`, a storage account (through Azurite), an
 * event subscription that delivers to a topic of a namespace, an earlier process, or a recording.
 */
export type EventOrigin = "published" | "emitted" | "storage" | "routed" | "restored" | "replayed";

/** An accepted event, and which subscriptions in its scope wanted it. */
export interface EventRecord {
  readonly event: AcceptedEvent;
  /** Name of the topic, or NAMESPACE/TOPIC; `undefined` for an event of one of Azure's services. */
  readonly topic: string | undefined;
  readonly origin: EventOrigin;
  readonly offers: readonly Offer[];
  readonly unready: readonly UnreadySubscription[];
}

/** The progress of a delivery that has failed. */
export interface DeliveryProgress {
  readonly attempts: number;
  readonly lastOutcome: string;
  readonly lastAttemptAt: number;
  readonly nextAttemptAt: number;
}

/**
 * How the delivery of an event by a subscription ended; `discarded` if nobody tried: the
 * subscription is gone or has expired, or the event was taken back.
 */
export type EventEnd = "delivered" | "deadLettered" | "dropped" | "discarded";

/** A parsed event. */
export type EventContent = Readonly<Record<string, unknown>>;

/** An event that can be offered to event subscriptions. */
export interface ReadEvent {
  readonly event: AcceptedEvent;
  /** The values that filters compare; only the attributes for a namespace topic. */
  readonly content: EventContent;
  /** Resource ID of the topic that the event chose in a domain. */
  readonly domainTopicId?: string | undefined;
}

/** The value at a path such as `data.order.total`; `undefined` if there is none. */
export function valueAt(event: EventContent, path: string): unknown {
  return path.split(".").reduce(ownValue, event);
}

function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** Attributes that every CloudEvent has. */
export const requiredAttributes = ["id", "source", "type", "specversion"];

/** Attributes of CloudEvents that are strings. */
export const textAttributes = [
  ...requiredAttributes,
  "subject",
  "time",
  "datacontenttype",
  "dataschema",
  "data_base64",
];

/** Date, time, fraction and zone of a timestamp of CloudEvents. */
export const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

export function isTimestamp(text: string): boolean {
  return RFC_3339.test(text) && !Number.isNaN(Date.parse(text));
}
