import type { CloudEvent, EventPayloads } from "../../events/index.js";

/** `data` is optional where the type's payload may be `undefined`. */
type WithData<Data> = undefined extends Data ? { readonly data?: Data } : { readonly data: Data };

/** The attributes of an event without envelope. An attribute that is `undefined` is not set. */
interface PlainAttributes<Type extends string> {
  readonly type: Type;
  /** Absent: the publisher adds the envelope. */
  readonly specversion?: undefined;
  /** @default a random UUID */
  readonly id?: string | undefined;
  /** URI reference of the event's source. @default the publisher's `source`, else the binding's name */
  readonly source?: string | undefined;
  /** What the event is about, within its source. Subscriptions can filter by it. */
  readonly subject?: string | undefined;
  /** @default now */
  readonly time?: string | Date | undefined;
  /** @default "application/json", for bytes "application/octet-stream" */
  readonly datacontenttype?: string | undefined;
  readonly dataschema?: string | undefined;
  /** Extension: lower-case letters and digits; a string, a boolean or a 32-bit integer. */
  readonly [extension: string]: unknown;
}

/** An event without its envelope, which the publisher adds. */
export type PlainEvent<Type extends string = string, Data = unknown> = PlainAttributes<Type> &
  WithData<Data>;

/** A complete CloudEvent, published as it is: also a `CloudEvent` of the package `cloudevents`. */
export type ReadyEvent<Type extends string = string, Data = unknown> = Omit<
  CloudEvent<Data, Type>,
  "data" | "specversion"
> &
  WithData<Data> & {
    /** Must be "1.0". The official SDK declares it as any string. */
    readonly specversion: string;
    readonly id: string;
    readonly source: string;
    readonly type: Type;
  };

/**
 * One event or several. The mutable array is listed besides the readonly one because compilers then
 * report what is wrong with an element, instead of saying that the array is no event.
 */
export type EventsToCreate<P extends EventPayloads = EventPayloads> =
  | EventToCreate<P>
  | EventToCreate<P>[]
  | readonly EventToCreate<P>[];

/** An event that `create` accepts, typed by the catalogue. */
export type EventToCreate<P extends EventPayloads = EventPayloads> = {
  [Type in keyof P & string]:
    | PlainEvent<Type, P[Type]["input"]>
    | ReadyEvent<Type, P[Type]["input"]>;
}[keyof P & string];
