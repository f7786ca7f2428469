/**
 * An event as CloudEvents 1.0 defines it.
 *
 * Attributes keep the form they have on the wire: `time` is an RFC 3339 string, not a `Date`.
 * Extension attributes (lower-case letters and digits) stand beside the standard ones.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
export interface CloudEvent<Data = unknown, Type extends string = string> {
  readonly specversion: "1.0";
  /** Unique within `source`; the two together identify the event. */
  readonly id: string;
  /** URI reference of where the event comes from; a resource ID for Azure's own events. */
  readonly source: string;
  /** What happened, such as `shop.order.placed`: handlers and subscriptions go by it. */
  readonly type: Type;
  /** What it happened to, within `source`: filters can go by its beginning and end. */
  readonly subject?: string;
  /** RFC 3339 timestamp of the occurrence. */
  readonly time?: string;
  /** Media type of `data`; JSON when absent. */
  readonly datacontenttype?: string;
  /** URI of the schema that `data` follows. */
  readonly dataschema?: string;
  /** The payload, exactly as it was sent; bytes (`data_base64` on the wire) as a `Uint8Array`. */
  readonly data: Data;
  readonly [extension: string]: unknown;
}
