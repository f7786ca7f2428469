/** One event that Event Grid has taken in, kept as the exact text that the publisher sent. */
export interface AcceptedEvent {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject: string | undefined;
  /** The CloudEvent as JSON, to the byte. */
  readonly json: string;
  readonly sizeInBytes: number;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly publishedAt: number;
}

/** A CloudEvent as `JSON.parse` gives it. */
export type CloudEvent = Readonly<Record<string, unknown>>;
