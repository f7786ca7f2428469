import type { AcceptedEvent, DeliveryProgress } from "../events/index.js";
import type { DeadLetterJournal } from "./dead-letters.js";

/** An event that a subscription has not settled yet. */
export interface PendingDelivery {
  readonly event: AcceptedEvent;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  /** Missing before the first attempt has failed. */
  readonly progress: DeliveryProgress | undefined;
}

/** Records undelivered events, so that they survive the process. */
export interface Journal extends DeadLetterJournal {
  queued(event: AcceptedEvent, subscriptionId: string): void;
  retrying(
    events: readonly AcceptedEvent[],
    subscriptionId: string,
    progress: DeliveryProgress,
  ): void;
  /** The events are delivered, dead-lettered or dropped. */
  settled(events: readonly AcceptedEvent[], subscriptionId: string): void;
  /** Nothing of the subscription is pending any more. */
  cleared(subscriptionId: string): void;
  /**
   * Writes the records, before an event is reported as accepted.
   *
   * @throws ServiceError 503 if they cannot be written
   */
  flush(): void;
}

/** Keeps everything in memory only. */
export const noJournal: Journal = {
  queued: () => {},
  retrying: () => {},
  settled: () => {},
  cleared: () => {},
  deadLettered: () => {},
  deadLettersCleared: () => {},
  flush: () => {},
};
