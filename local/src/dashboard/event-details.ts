import { decodeJwt } from "jose";
import { iso } from "../base/index.js";
import type { DeadLetter, DeliveryAttempt, EventGrid } from "../eventgrid/index.js";
import { credentialsIn } from "../http/index.js";
import { outcomesOf } from "../replay/index.js";

export type EventDetails = ReturnType<typeof eventDetails>;
export type SubscriptionOutcome = EventDetails["subscriptions"][number];
export type AttemptDetails = ReturnType<typeof attemptDetails>;
export type DeadLetterDetails = ReturnType<typeof deadLetterDetails>;

/**
 * An accepted event with its deliveries and their results.
 *
 * @throws ServiceError if no event with this number or `id` is in the history
 */
export function eventDetails(eventGrid: EventGrid, numberOrId: number | string) {
  const { activity } = eventGrid;
  const record = activity.findEvent(numberOrId);
  const { event, topic, origin, number } = record;
  const attempts = activity.attemptsOf(event);
  const letters = eventGrid.deadLetters().filter((each) => each.event === event);
  return {
    number,
    topic,
    origin,
    acceptedAt: iso(event.publishedAt),
    id: event.id,
    type: event.type,
    source: event.source,
    subject: event.subject,
    sizeInBytes: event.sizeInBytes,
    /** To the byte, as it was published. */
    json: event.json,
    subscriptions: outcomesOf(record, attempts, letters).map((result) => {
      const letter = letters.findLast(({ subscription }) => subscription === result.subscription);
      return {
        ...result,
        attempts: result.attempts.map(attemptDetails),
        deadLetter: letter && deadLetterDetails(letter, eventGrid),
      };
    }),
  };
}

/**
 * An attempt as programs read it without the token: requests and responses are left out, because
 * they contain a token.
 */
export function shownAttempt(delivery: DeliveryAttempt) {
  const { events: _, at, nextAttemptAt, request: __, response: ___, ...attempt } = delivery;
  return {
    ...attempt,
    at: iso(at),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: iso(nextAttemptAt) }),
  };
}

function attemptDetails(attempt: DeliveryAttempt) {
  const { events, request, response } = attempt;
  const token = credentialsIn(request?.headers.authorization, "bearer");
  return {
    ...shownAttempt(attempt),
    eventCount: events.length,
    // Its body is computed when it is read.
    request: request && { url: request.url, headers: request.headers, body: request.body },
    response,
    claims: token === undefined ? undefined : decodeJwt(token),
  };
}

export function deadLetterDetails({ event, ...letter }: DeadLetter, { activity }: EventGrid) {
  return {
    subscription: letter.subscription,
    event: activity.recordOf(event)?.number,
    eventId: event.id,
    type: event.type,
    subject: event.subject,
    reason: letter.deadletterreason,
    attempts: letter.deliveryattempts,
    lastOutcome: letter.lastdeliveryoutcome,
    /** `undefined` without an attempt. */
    lastAttemptAt: letter.lastdeliveryattempttime,
    blob: letter.blob,
  };
}
