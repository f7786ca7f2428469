/** An event that Event Grid has accepted, kept as the exact text that the publisher sent. */
export interface AcceptedEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string | undefined;
  /** The CloudEvent as JSON, byte for byte. */
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

/** A parsed CloudEvent. */
export type CloudEvent = Readonly<Record<string, unknown>>;

/**
 * The value of an event at a key such as `subject` or `data.order.total`; `undefined` if there is
 * none.
 */
export function valueAt(event: CloudEvent, key: string): unknown {
  const [first = "", ...rest] = key.split(".");
  // Filters may use the Event Grid schema's name for the type, also on CloudEvents.
  const attribute = first.toLowerCase() === "eventtype" ? "type" : first;
  return rest.reduce(ownValue, ownValue(event, attribute));
}

function ownValue(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}
