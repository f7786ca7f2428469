import { azureTime } from "../base/index.js";
import type { DataPlaneError } from "./data-plane-error.js";
import type { DeliveryAttempt, EventObserver } from "./delivery/index.js";
import { withoutQuery } from "./destinations/index.js";
import type { AcceptedEvent } from "./events/index.js";
import { scopeOfSubscription } from "./redelivery.js";
import type { Topic } from "./topics/index.js";

/** A delivery or a publish request that failed, as Event Grid logs it. */
export interface Failure {
  readonly category: "DeliveryFailures" | "PublishFailures";
  /** Resource ID of the topic or domain, or the scope of events of Azure services. */
  readonly scope: string;
  readonly eventSubscription?: string;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  readonly message: string;
}

/** Azure writes what the webhook answered; it may be long. */
const MAX_RESPONSE_CHARACTERS = 512;

/** Logs failed attempts and refused requests. */
export function failureLog(onFailure: (failure: Failure) => void): EventObserver {
  return {
    attempted: (attempt) => deliveryFailures(attempt).forEach(onFailure),
    refused: (topic, error, at) => onFailure(publishFailure(topic, error, at)),
  };
}

/** The failures of an attempt: one for each event. None if it was delivered. */
function deliveryFailures(attempt: DeliveryAttempt): Failure[] {
  if (attempt.outcome === "delivered") return [];
  const { subscription, subscriptionId, at, events } = attempt;
  return events.map((event) => ({
    category: "DeliveryFailures",
    scope: scopeOfSubscription(subscriptionId),
    eventSubscription: subscription,
    at,
    message: deliveryMessage(attempt, event),
  }));
}

/**
 * The names are those of Microsoft's example, as far as they mean something here. The page names the
 * outcomes, and not which status has which.
 *
 * @see https://learn.microsoft.com/azure/event-grid/monitor-push-reference
 */
function deliveryMessage(attempt: DeliveryAttempt, event: AcceptedEvent): string {
  const { status, error, request, response, deliveryCount, durationMs, at } = attempt;
  const outcome = outcomeOf(status, error);
  const answer = response?.body.text.replace(/\s+/g, " ").slice(0, MAX_RESPONSE_CHARACTERS);
  const fields = {
    outcome,
    latencyInMs: Math.round(durationMs),
    id: event.id,
    state: "FilteredFailingDelivery",
    deliveryTime: azureTime(at),
    deliveryCount,
    delivered: "False",
    publishTime: azureTime(event.publishedAt),
    ...(event.time !== undefined && { eventTime: azureTime(Date.parse(event.time)) }),
    eventType: event.type,
    inputSchema: event.schema,
    size: event.sizeInBytes,
    ...(request && { url: withoutQuery(request.url) }),
    deliveryResponse: `${outcome}: ${status === undefined ? error : `httpStatusCode=${status}, errorMessage=${answer ?? ""}`}`,
  };
  return `Message:${textOf(fields)}`;
}

function outcomeOf(status: number | undefined, error = ""): string {
  if (status === undefined) return /time|abort/i.test(error) ? "TimedOut" : "Aborted";
  if (status === 404 || status === 410) return "NotFound";
  if (status === 408 || status === 504) return "TimedOut";
  return status === 429 || status === 503 ? "Busy" : "GenericError";
}

function publishFailure(topic: Topic, error: DataPlaneError, at: number): Failure {
  const fields = {
    inputEventsCount: "null",
    requestUri: `https://${topic.path.split("/")[1]}.eventgrid.azure.net/api/events`,
    publisherInfo: `PublisherInfo(category=User, inputSchema=${topic.inputSchema}, armResourceId=${topic.id})`,
    httpStatusCode: error.code,
    errorType: error.status < 500 ? "ClientError" : "ServerError",
    errorMessage: error.message,
  };
  return { category: "PublishFailures", scope: topic.id, at, message: textOf(fields) };
}

function textOf(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
