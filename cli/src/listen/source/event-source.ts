/** An event that Azure holds for this command until it is settled. */
export interface ReceivedEvent {
  /** The same whenever Azure hands the same message out. */
  readonly key: string;
  /** What settles the message: the receipt of the last time that it was handed out. */
  readonly receipt: string;
  /** The event as JSON. */
  readonly text: string;
  /** How often Azure has handed the message out, from 1. */
  readonly attempt: number;
}

/** Where the events come from: a queue, or the topic of a namespace. */
export interface EventSource {
  /** What the user should know about it: names and their values. */
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** Creates what it needs. Rejects with a CommandError if that is refused. */
  open(): Promise<void>;
  /**
   * The next events; none after a while without any. Rejects with a `Refused` if it will never
   * succeed, and with a CommandError when Azure cannot be reached.
   */
  receive(signal: AbortSignal): Promise<readonly ReceivedEvent[]>;
  /** Removes the message. @returns false if it will be handed out again */
  settle(event: ReceivedEvent): Promise<boolean>;
  /** Postpones the expiry. @returns the time in milliseconds at which it had expired before, if it had */
  renew(): Promise<number | undefined>;
  /** The number of events that Azure could not hand over; undefined when it is not known. */
  lost(): Promise<number | undefined>;
  /** Deletes what it created. @returns what is left behind, and why */
  close(): Promise<string[]>;
}
