import { CloudEventGridError } from "../errors.js";

/**
 * Thrown by a handler to refuse an event for good: it is answered with 400, never delivered again,
 * and dead-lettered where the subscription has a dead-letter destination (dropped where not).
 *
 * In a batch the others are still handled; once only rejected events are left, Event Grid
 * dead-letters the *whole* batch, those that were handled included.
 *
 * @example
 * ```ts
 * if (!(await catalogue.has(event.data.sku))) throw new RejectEvent(`no such article: ${event.data.sku}`);
 * ```
 */
export class RejectEvent extends CloudEventGridError {
  readonly code = "ERR_EVENT_REJECTED";

  /** @param message why, for the log; it is not part of the answer */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}
