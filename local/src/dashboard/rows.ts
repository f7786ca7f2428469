import { iso } from "../base/index.js";
import type { Activity, ActivityLog, DeliveryAttempt } from "../eventgrid/index.js";

/** One line of the live view. */
export type ActivityRow = ReturnType<typeof rowOf>;

export type Outcome =
  | DeliveryAttempt["outcome"]
  | "accepted"
  /** Accepted, but no subscription wants it. */
  | "unmatched"
  | "handshakeSucceeded"
  | "handshakeFailed";

/** The row of an entry of the activity log. What does not exist for an entry is `undefined`. */
export function rowOf(activity: Activity, log: ActivityLog) {
  const attempt = activity.kind === "delivery" ? activity.attempt : undefined;
  const handshake = activity.kind === "handshake" ? activity.handshake : undefined;
  /** The first of a batch. */
  const event = activity.kind === "event" ? activity.event : attempt?.events[0];
  const record = activity.kind === "event" ? activity : event && log.recordOf(event);
  return {
    number: activity.number,
    kind: activity.kind,
    at: iso(activity.at),
    /** Name of the topic, or NAMESPACE/TOPIC; missing for events of Azure's services. */
    topic: record?.topic,
    /** Where an accepted event came from. */
    origin: record?.origin,
    type: event?.type,
    subject: event?.subject,
    eventId: event?.id,
    /** Number of the accepted event. */
    event: record?.number,
    /** The number of events in the delivery. */
    eventCount: attempt?.events.length,
    /** Name of the event subscription. */
    subscription: (attempt ?? handshake)?.subscription,
    subscriptionId: (attempt ?? handshake)?.subscriptionId,
    /** Number of the delivery attempt, from 1. */
    attempt: attempt?.attempt,
    /** HTTP status; missing when there was no response. */
    status: (attempt ?? handshake)?.status,
    outcome: outcomeOf(activity),
    /** Why there was no response, or why the handshake failed. */
    error: attempt?.error ?? handshake?.reason,
    durationMs: attempt?.durationMs,
    nextAttemptAt: attempt?.nextAttemptAt === undefined ? undefined : iso(attempt.nextAttemptAt),
  };
}

/** The numbers of the events in the log whose text has all words, in any case. */
export function eventsWith(log: ActivityLog, words: string): number[] {
  const patterns = words
    .split(/\s/)
    .map((word) => new RegExp(word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "i"));
  return [...log.events()].flatMap(([number, { event }]) =>
    patterns.every((pattern) => pattern.test(event.json)) ? [number] : [],
  );
}

function outcomeOf(activity: Activity): Outcome {
  switch (activity.kind) {
    case "event": {
      const isWanted = activity.offers.some(({ filteredBy }) => filteredBy === undefined);
      return isWanted ? "accepted" : "unmatched";
    }
    case "delivery":
      return activity.attempt.outcome;
    case "handshake":
      return activity.handshake.succeeded ? "handshakeSucceeded" : "handshakeFailed";
  }
}
