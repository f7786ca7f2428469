/** An event as it goes over the wire. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  /** The event as one JSON object, in UTF-8. */
  readonly bytes: Buffer;
}
