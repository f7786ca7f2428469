/** What happened to one event of a delivery. */
export type Outcome =
  /** Its handler returned. */
  | "handled"
  /** It had been handled before. */
  | "duplicate"
  /** No handler is registered for its type, and it was acknowledged. */
  | "unhandled"
  /** Its handler threw, or something the handler needs was unavailable. */
  | "failed"
  /** The deadline of the delivery passed first. */
  | "timed-out"
  /** Another delivery of the same event is being handled. */
  | "in-progress"
  /** No handler is registered for its type, and Event Grid is asked to retry it. */
  | "deferred"
  /**
   * Its handler or its schema rejected it for good, or no handler is registered and such events are
   * rejected.
   */
  | "rejected"
  /** It is not a CloudEvent. */
  | "malformed";

/**
 * The response status of a delivery whose events ended like this. Event Grid retries 503 and never
 * retries 400, so one event to be retried outweighs any number of rejected ones.
 */
export function statusOf(outcomes: Iterable<Outcome>): 200 | 400 | 503 {
  let status: 200 | 400 = 200;
  for (const outcome of outcomes) {
    switch (outcome) {
      case "failed":
      case "timed-out":
      case "in-progress":
      case "deferred":
        return 503;
      case "rejected":
      case "malformed":
        status = 400;
    }
  }
  return status;
}
