import type { CloudEvent, EventPayloads } from "../events/index.js";

/** `data` may be left out where the type's payload may be `undefined`. */
type WithData<Data> = undefined extends Data ? { readonly data?: Data } : { readonly data: Data };

/** Attributes that are `undefined` are not set. */
interface PlainAttributes<Type extends string> {
  readonly type: Type;
  /** Left out: the event is given an envelope. */
  readonly specversion?: undefined;
  /** @default a random UUID */
  readonly id?: string | undefined;
  /** URI reference. @default the publisher's `source`, else the binding's name */
  readonly source?: string | undefined;
  /** What the event is about, within its source. Subscriptions can filter by it. */
  readonly subject?: string | undefined;
  /** @default now */
  readonly time?: string | Date | undefined;
  /** @default "application/json", for bytes "application/octet-stream" */
  readonly datacontenttype?: string | undefined;
  readonly dataschema?: string | undefined;
  /** Lower-case letters and digits; a string, a boolean or a 32-bit integer. */
  readonly [extension: string]: unknown;
}

/** An event without its envelope, which the publisher gives it. */
export type PlainEvent<Type extends string = string, Data = unknown> = PlainAttributes<Type> &
  WithData<Data>;

/** A ready CloudEvent: it goes out as it is. */
export type ReadyEvent<Type extends string = string, Data = unknown> = Omit<
  CloudEvent<Data, Type>,
  "data"
> &
  WithData<Data> & {
    readonly specversion: "1.0";
    readonly id: string;
    readonly source: string;
    readonly type: Type;
  };

/**
 * One event or several. An array that can be changed is named beside one that cannot, because it is
 * what people write: then compilers tell what is wrong with its elements, not that it is no event.
 */
export type EventsToCreate<P extends EventPayloads = EventPayloads> =
  | EventToCreate<P>
  | EventToCreate<P>[]
  | readonly EventToCreate<P>[];

/** What `create` takes, typed by the catalogue. */
export type EventToCreate<P extends EventPayloads = EventPayloads> = {
  [Type in keyof P & string]:
    | PlainEvent<Type, P[Type]["input"]>
    | ReadyEvent<Type, P[Type]["input"]>;
}[keyof P & string];
