/** An event as it goes over the wire. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  /** The event as one JSON object. */
  readonly json: string;
  /** Size of that in UTF-8, in bytes. */
  readonly bytes: number;
}
