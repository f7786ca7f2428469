/**
 * An event as defined by CloudEvents 1.0.
 *
 * Attributes have the same form as on the wire: `time` is an RFC 3339 string, not a `Date`.
 * Extension attributes (lower-case letters and digits) are members like the standard ones.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md
 */
export interface CloudEvent<Data = unknown, Type extends string = string> {
  readonly specversion: "1.0";
  /** Unique within `source`; the two together identify the event. */
  readonly id: string;
  /** URI reference of the origin of the event; a resource ID for events of Azure services. */
  readonly source: string;
  /** The kind of occurrence, such as `shop.order.placed`; it selects handlers and subscriptions. */
  readonly type: Type;
  /** The object of the occurrence, within `source`; filters can match its beginning and end. */
  readonly subject?: string;
  /** RFC 3339 timestamp of the occurrence. */
  readonly time?: string;
  /** Media type of `data`; JSON when absent. */
  readonly datacontenttype?: string;
  /** URI of the schema that `data` follows. */
  readonly dataschema?: string;
  /** The payload exactly as it was sent; binary data (`data_base64` on the wire) is a `Uint8Array`. */
  readonly data: Data;
  readonly [extension: string]: unknown;
}
