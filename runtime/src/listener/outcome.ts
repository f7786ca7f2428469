/** What became of one event. */
export type Outcome =
  /** Its handler returned. */
  | "handled"
  /** It had been handled before. */
  | "duplicate"
  /** No handler fits, and it was acknowledged. */
  | "unhandled"
  /** Its handler threw, or what the handler needs was not there. */
  | "failed"
  /** The delivery's time was over first. */
  | "timed-out"
  /** Another delivery of it is being handled. */
  | "in-progress"
  /** No handler fits, and it is to come again. */
  | "deferred"
  /** Its handler or its schema refused it for good, or no handler fits and that is refused. */
  | "rejected"
  /** It is no CloudEvent. */
  | "malformed";

/** The answer to a delivery of events with these outcomes: to retry comes before to reject. */
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
