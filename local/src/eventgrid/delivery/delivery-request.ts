import { randomUUID } from "node:crypto";
import type { AcceptedEvent } from "../event.js";
import type { EventSubscription } from "../subscriptions/event-subscription.js";
import { ORIGIN } from "../subscriptions/handshake.js";
import { deliveryPropertyHeaders } from "./delivery-properties.js";

/** The body and headers of a delivery, as Azure writes them. */
export function deliveryRequest(
  subscription: EventSubscription,
  events: readonly AcceptedEvent[],
  deliveryCount: number,
): { headers: Record<string, string>; body: Buffer } {
  const { batching, deliveryProperties } = subscription.settings;
  const batched = batching.maxEventsPerBatch > 1;
  const texts = events.map(({ json }) => json);
  return {
    headers: {
      ...deliveryPropertyHeaders(deliveryProperties, events),
      "content-type": `application/cloudevents${batched ? "-batch" : ""}+json; charset=utf-8`,
      "webhook-request-origin": ORIGIN,
      "aeg-event-type": "Notification",
      "aeg-subscription-name": subscription.name.toUpperCase(),
      "aeg-delivery-count": String(deliveryCount),
      "aeg-data-version": "",
      "aeg-metadata-version": "1",
      "aeg-output-event-id": randomUUID(),
    },
    body: Buffer.from(batched ? `[${texts.join(",")}]` : texts.join("")),
  };
}
