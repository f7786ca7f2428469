import { CloudEventGridError } from "../errors.js";

/**
 * Thrown by a handler to reject an event for good: a listener answers 400, a receiver rejects the
 * event. Event Grid never delivers the event again, and dead-letters it if the subscription has a
 * dead-letter destination. Without one the event is dropped.
 *
 * In a batch of a webhook the other events are still handled. When nothing but rejected events is
 * left, Event Grid dead-letters the *whole* batch, including the events that were handled.
 *
 * @example
 * ```ts
 * if (!(await catalogue.has(event.data.sku))) throw new RejectEvent(`unknown article ${event.data.sku}`);
 * ```
 */
export class RejectEvent extends CloudEventGridError {
  readonly code = "ERR_EVENT_REJECTED";

  /** @param message the reason, for the log; it is not part of the response */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
