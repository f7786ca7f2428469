import { decodeJwt } from "jose";
import type {
  AcceptedEvent,
  Activity,
  ActivityLog,
  DeadLetter,
  DeliveryAttempt,
  EventRecord,
  Topic,
} from "../eventgrid/index.js";
import type { DashboardCloud } from "./cloud.js";
import type {
  AttemptDetails,
  DeadLetterDetails,
  EventDetails,
  Headers,
  SubscriptionOutcome,
} from "./protocol.js";

type Source = Pick<DashboardCloud, "eventGrid" | "topics" | "domains">;

/** An accepted event with its deliveries and their results. */
export function eventDetails(
  cloud: Source,
  record: EventRecord & { readonly number: number },
): EventDetails {
  const { event, topic: name, origin, unready } = record;
  const topics = [...cloud.topics.list(), ...cloud.domains.list()];
  const topic = topics.find((each) => each.name === name);
  return {
    number: record.number,
    topic: name,
    origin,
    acceptedAt: event.publishedAt,
    id: event.id,
    type: event.type,
    source: event.source,
    subject: event.subject,
    sizeInBytes: event.sizeInBytes,
    json: event.json,
    subscriptions: subscriptionOutcomes(record, cloud),
    unready: unready.map(({ subscription, state }) => ({ subscription, state })),
    curl: topic && curlOf(event, topic),
  };
}

function subscriptionOutcomes(
  { event, offers }: EventRecord,
  { eventGrid }: Source,
): SubscriptionOutcome[] {
  const { activity } = eventGrid;
  const deadLetters = eventGrid.deadLetters().filter((each) => each.event === event);
  const attempts = activity.list().filter(isDeliveryOf(event));
  return offers.map(({ subscriptionId, subscription, filteredBy }) => {
    const own = attempts.filter(({ attempt }) => attempt.subscriptionId === subscriptionId);
    const last = own.at(-1)?.attempt;
    const deadLetter = deadLetters.findLast((each) => each.subscription === subscription);
    return {
      id: subscriptionId,
      name: subscription,
      state: last?.outcome ?? (filteredBy === undefined ? "pending" : "filtered"),
      filteredBy,
      nextAttemptAt: last?.nextAttemptAt,
      attempts: own.map((each) => attemptDetails(each.number, each.attempt)),
      deadLetter: deadLetter && deadLetterDetails(deadLetter, activity),
    };
  });
}

type DeliveryActivity = Extract<Activity, { readonly kind: "delivery" }>;

function isDeliveryOf(event: AcceptedEvent) {
  return (activity: Activity): activity is DeliveryActivity =>
    activity.kind === "delivery" && activity.attempt.events.includes(event);
}

function attemptDetails(number: number, attempt: DeliveryAttempt): AttemptDetails {
  const { at, deliveryCount, durationMs, status, error, outcome, events, request, response } =
    attempt;
  return {
    number,
    at,
    deliveryCount,
    durationMs,
    status,
    error,
    outcome,
    eventCount: events.length,
    request: request && {
      url: request.url,
      headers: headerList(request.headers),
      body: request.body,
    },
    response: response && {
      headers: headerList(response.headers),
      body: response.body.text,
      truncated: response.body.truncated,
    },
    claims: claimsIn(request?.headers.authorization),
  };
}

export function deadLetterDetails(letter: DeadLetter, activity: ActivityLog): DeadLetterDetails {
  return {
    subscription: letter.subscription,
    event: activity.recordOf(letter.event)?.number,
    eventId: letter.event.id,
    type: letter.event.type,
    subject: letter.event.subject,
    reason: letter.deadletterreason,
    attempts: letter.deliveryattempts,
    lastOutcome: letter.lastdeliveryoutcome,
    publishedAt: letter.publishtime,
    lastAttemptAt: letter.lastdeliveryattempttime,
    blob: letter.blob,
  };
}

function headerList(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.entries(headers).map(([name, value]) => [name, String(value ?? "")]) as Headers;
}

function claimsIn(authorization: string | undefined): Record<string, unknown> | undefined {
  const token = /^Bearer (.+)$/.exec(authorization ?? "")?.[1];
  return token === undefined ? undefined : decodeJwt(token);
}

/** Publishes the same event again. */
function curlOf(event: AcceptedEvent, topic: Topic): string {
  const isCloudEvent = event.schema === "CloudEventSchemaV1_0";
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl -X POST ${quoted(topic.endpoint)}`,
    `  -H ${quoted(`aeg-sas-key: ${topic.publishKey}`)}`,
    `  -H 'content-type: application/${isCloudEvent ? "cloudevents+" : ""}json'`,
    `  -d ${quoted(isCloudEvent ? event.json : `[${event.json}]`)}`,
  ].join(" \\\n");
}
