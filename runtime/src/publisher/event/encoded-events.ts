/** An event in the form in which it is sent. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  /** The event as one JSON object. */
  readonly json: string;
  /** Size of `json` in UTF-8. */
  readonly bytes: number;
}

/**
 * The part of a publisher that an outbox uses: encoding and sending, with the time in between that `create`
 * does not have. It is no part of the public API.
 */
export interface EncodedEvents {
  /** Host and path of the topic's endpoint, which tell it apart from every other. */
  readonly topic: string;
  /**
   * Checks and encodes events as `create` does.
   *
   * @throws {InvalidEventError} when an event is invalid
   */
  encode(events: readonly unknown[]): Promise<readonly EncodedEvent[]>;
  /**
   * Sends events as they are. They share requests with other calls, but not their failures.
   *
   * @throws {PublishError} when some were not accepted
   */
  send(
    events: readonly EncodedEvent[],
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<unknown>;
}

/** The property of a publisher that has its {@link EncodedEvents}. */
export const ENCODED_EVENTS = Symbol("encoded events");
