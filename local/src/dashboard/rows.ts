import type { Activity, ActivityLog } from "../eventgrid/index.js";
import type { ActivityRow } from "./protocol.js";

/** The row of the live view for an entry of the activity log. */
export function rowOf(activity: Activity, log: ActivityLog): ActivityRow {
  const { number, at } = activity;
  switch (activity.kind) {
    case "event": {
      const { event, topic, origin, offers } = activity;
      return {
        number,
        kind: "event",
        at,
        topic,
        origin,
        type: event.type,
        subject: event.subject,
        eventId: event.id,
        event: number,
        outcome: offers.some(({ filteredBy }) => filteredBy === undefined)
          ? "accepted"
          : "unmatched",
      };
    }
    case "delivery": {
      const { attempt } = activity;
      const [first] = attempt.events;
      const record = first && log.recordOf(first);
      return {
        number,
        kind: "delivery",
        at,
        type: first?.type,
        subject: first?.subject,
        eventId: first?.id,
        event: record?.number,
        topic: record?.topic,
        origin: record?.origin,
        eventCount: attempt.events.length,
        subscription: attempt.subscription,
        subscriptionId: attempt.subscriptionId,
        deliveryCount: attempt.deliveryCount,
        status: attempt.status,
        outcome: attempt.outcome,
        error: attempt.error,
        durationMs: attempt.durationMs,
        nextAttemptAt: attempt.nextAttemptAt,
      };
    }
    case "handshake": {
      const { subscription, subscriptionId, status, succeeded, reason } = activity.handshake;
      return {
        number,
        kind: "handshake",
        at,
        subscription,
        subscriptionId,
        status,
        outcome: succeeded ? "handshakeSucceeded" : "handshakeFailed",
        error: reason,
      };
    }
  }
}
