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

export type EventDetails = ReturnType<typeof eventDetails>;
export type SubscriptionOutcome = ReturnType<typeof subscriptionOutcomes>[number];
export type AttemptDetails = ReturnType<typeof attemptDetails>;
export type Headers = ReturnType<typeof headerList>;
export type DeadLetterDetails = ReturnType<typeof deadLetterDetails>;

type Source = Pick<DashboardCloud, "eventGrid" | "topics" | "domains">;

/** An accepted event with its deliveries and their results. */
export function eventDetails(cloud: Source, record: EventRecord & { readonly number: number }) {
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
    /** To the byte, as it was published. */
    json: event.json,
    subscriptions: subscriptionOutcomes(record, cloud),
    /** Event subscriptions in the event's scope that were not ready when it was accepted. */
    unready: unready.map(({ subscription, state }) => ({ subscription, state })),
    /** Publishes the same event again; missing if there is no topic to publish to. */
    curl: topic && curlOf(event, topic),
  };
}

function subscriptionOutcomes({ event, offers }: EventRecord, { eventGrid }: Source) {
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
      state:
        last?.outcome ?? (filteredBy === undefined ? ("pending" as const) : ("filtered" as const)),
      /** The filter that kept the event out. */
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

function attemptDetails(number: number, attempt: DeliveryAttempt) {
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

export function deadLetterDetails(letter: DeadLetter, activity: ActivityLog) {
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
    /** `undefined` without an attempt. */
    lastAttemptAt: letter.lastdeliveryattempttime,
    blob: letter.blob,
  };
}

function headerList(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  return Object.entries(headers).map(([name, value]): [name: string, value: string] => [
    name,
    String(value ?? ""),
  ]);
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
