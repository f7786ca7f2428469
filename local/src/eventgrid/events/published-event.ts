import type { AcceptedEvent } from "./event.js";

/** The payloads of event types, as publishers pass them. */
export type PublishedPayloads = Readonly<Record<string, { readonly input: unknown }>>;

/** A catalogue of `defineEvents`. The local Azure shares no code with the packages, only its shape. */
export interface PublishedCatalogue<Payloads extends PublishedPayloads> {
  readonly types: readonly string[];
  readonly "~payloads"?: Payloads;
}

/** An event that a topic accepted, with its payload. */
export interface PublishedEvent<Data = unknown, Type extends string = string>
  extends AcceptedEvent {
  readonly type: Type;
  /** The JSON of the payload, parsed; a `Buffer` if it is binary. In a custom schema, the event. */
  readonly data: Data;
}

/** An event of a catalogue, of any of its types. */
export type PublishedEventOf<Payloads extends PublishedPayloads> = {
  [Type in keyof Payloads & string]: PublishedEvent<Payloads[Type]["input"], Type>;
}[keyof Payloads & string];

/** The events with their payloads, or those of a catalogue's types. */
export function publishedEvents<Payloads extends PublishedPayloads>(
  events: readonly AcceptedEvent[],
  catalogue: PublishedCatalogue<Payloads> | undefined,
): PublishedEventOf<Payloads>[] {
  const wanted = catalogue && new Set(catalogue.types);
  return events
    .filter(({ type }) => wanted?.has(type) ?? true)
    .map((event) => ({ ...event, data: payloadOf(event) }) as PublishedEventOf<Payloads>);
}

function payloadOf({ json, schema }: AcceptedEvent): unknown {
  const event = JSON.parse(json);
  if (schema === "CustomEventSchema") return event;
  return event.data_base64 === undefined ? event.data : Buffer.from(event.data_base64, "base64");
}
