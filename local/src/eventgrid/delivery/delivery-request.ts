import { randomUUID } from "node:crypto";
import { type AcceptedEvent, deliveredJson } from "../events/index.js";
import {
  deliveryPropertyHeaders,
  type EventSubscription,
  type EventSubscriptionSettings,
  ORIGIN,
  type WebhookSubscription,
} from "../subscriptions/index.js";
import type { DeliveryRequest } from "./delivery-attempt.js";

/** Only a single CloudEvent is delivered without an array around it. */
function isArray({ batching, deliverySchema }: EventSubscriptionSettings): boolean {
  return deliverySchema !== "CloudEventSchemaV1_0" || batching.maxEventsPerBatch > 1;
}

/** A delivery's request. The body is built again when it is read, because the history keeps thousands. */
export class WebhookRequest implements DeliveryRequest {
  readonly url: string;
  readonly #settings: EventSubscriptionSettings;
  readonly #events: readonly AcceptedEvent[];

  constructor(
    settings: WebhookSubscription["settings"],
    readonly headers: Readonly<Record<string, string>>,
    events: readonly AcceptedEvent[],
  ) {
    this.url = settings.endpointUrl;
    this.#settings = settings;
    this.#events = events;
  }

  get body(): string {
    return deliveryBody(this.#settings, this.#events);
  }
}

/** Body of a delivery, as Azure writes it. */
function deliveryBody(
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
  const own = {
    "aeg-event-type": "Notification",
    "aeg-subscription-name": subscription.name.toUpperCase(),
    "aeg-delivery-count": String(deliveryCount),
    "aeg-data-version": cloudEvents ? "" : (events[0]?.dataVersion ?? ""),
    "aeg-metadata-version": "1",
    "aeg-output-event-id": randomUUID(),
  };
  if (deliveryProperties.length === 0) return own;
  return { ...deliveryPropertyHeaders(deliveryProperties, events), ...own };
}

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" };

function cloudEventHeaders(batched: boolean): Record<string, string> {
  return {
    "content-type": `application/cloudevents${batched ? "-batch" : ""}+json; charset=utf-8`,
    "webhook-request-origin": ORIGIN,
  };
}
