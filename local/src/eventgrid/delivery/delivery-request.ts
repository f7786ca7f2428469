import { randomUUID } from "node:crypto";
import { type AcceptedEvent, deliveredJson } from "../events/index.js";
import {
  deliveryPropertyHeaders,
  type EventSubscription,
  type EventSubscriptionSettings,
  ORIGIN,
} from "../subscriptions/index.js";

/** Only a single CloudEvent is delivered without an array around it. */
function isArray({ batching, deliverySchema }: EventSubscriptionSettings): boolean {
  return deliverySchema !== "CloudEventSchemaV1_0" || batching.maxEventsPerBatch > 1;
}

/** Body of a delivery, as Azure writes it. */
export function deliveryBody(
  settings: EventSubscriptionSettings,
  events: readonly AcceptedEvent[],
): string {
  const texts = events.map((event) => deliveredJson(event, settings.deliverySchema));
  return isArray(settings) ? `[${texts.join(",")}]` : texts.join("");
}

/** Headers of a delivery to a webhook, as Azure writes them. */
export function deliveryHeaders(
  subscription: EventSubscription,
  events: readonly AcceptedEvent[],
  deliveryCount: number,
): Record<string, string> {
  const { settings } = subscription;
  const cloudEvents = settings.deliverySchema === "CloudEventSchemaV1_0";
  return {
    ...(cloudEvents ? cloudEventHeaders(isArray(settings)) : JSON_HEADERS),
    ...messageProperties(subscription, events, deliveryCount),
  };
}

/** Properties of a message, which a webhook gets as headers. */
export function messageProperties(
  subscription: EventSubscription,
  events: readonly AcceptedEvent[],
  deliveryCount: number,
): Record<string, string> {
  const { deliveryProperties, deliverySchema } = subscription.settings;
  const cloudEvents = deliverySchema === "CloudEventSchemaV1_0";
  return {
    ...deliveryPropertyHeaders(deliveryProperties, events),
    "aeg-event-type": "Notification",
    "aeg-subscription-name": subscription.name.toUpperCase(),
    "aeg-delivery-count": String(deliveryCount),
    "aeg-data-version": cloudEvents ? "" : (events[0]?.dataVersion ?? ""),
    "aeg-metadata-version": "1",
    "aeg-output-event-id": randomUUID(),
  };
}

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

function cloudEventHeaders(batched: boolean): Record<string, string> {
  return {
    "content-type": `application/cloudevents${batched ? "-batch" : ""}+json; charset=utf-8`,
    "webhook-request-origin": ORIGIN,
  };
}
