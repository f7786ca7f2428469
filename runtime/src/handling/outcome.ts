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

/** The property of an event's origin that differs from the binding. */
export type Mismatch = "subscription" | "resource";

/** What is measured of events. */
export interface EventMetrics {
  /** Counts an event, by the pattern of its handler or `"none"`. */
  event(pattern: string, outcome: Outcome): void;
  /** The time in milliseconds, or 0 when nothing is measured. */
  now(): number;
  handlerEnded(pattern: string, outcome: Outcome, startedAtMs: number): void;
  unexpectedSource(mismatch: Mismatch): void;
}
