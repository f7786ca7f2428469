import { randomUUID } from "node:crypto";
import type { EndpointClient } from "../../network/index.js";
import type { Faults, TimerClock } from "../../simulation/index.js";
import { type AcceptedEvent, type Counter, deliveredJson } from "../events/index.js";
import {
  deliveryPropertyHeaders,
  type EventSubscription,
  type EventSubscriptionSettings,
  ORIGIN,
} from "../subscriptions/index.js";
import type { DeliveryTokens } from "./delivery-tokens.js";
import type { AttemptResult } from "./verdict.js";

const TIMEOUT_MS = 30_000;
/** A scaled clock leaves an endpoint at least this real time, since its work takes real time. */
const MIN_REAL_TIMEOUT_MS = 5_000;

/** Sends deliveries to webhooks, applying faults. */
export class Dispatch {
  /** Ends requests and delays in progress. */
  readonly #endings = new Set<() => void>();

  constructor(
    private readonly services: {
      readonly clock: TimerClock;
      readonly client: EndpointClient;
      readonly faults: Faults;
      /** Events in progress, without those that wait for the clock. */
      readonly busy: Counter;
    },
  ) {}

  /** Makes one attempt. Never rejects. */
  async send(
    subscription: EventSubscription,
    events: readonly AcceptedEvent[],
    deliveryCount: number,
    tokens: DeliveryTokens,
  ): Promise<AttemptResult> {
    const fault = this.services.faults.nextForDelivery(subscription.name);
    if (fault?.delayMs) await this.#delay(fault.delayMs, events.length);
    if (fault?.unreachable) return { failure: "SocketError", message: "simulated fault" };
    if (fault?.status !== undefined) return { status: fault.status };

    const headers = deliveryHeaders(subscription, events, deliveryCount);
    const authorization = await tokens.authorization(subscription).catch(String);
    if (typeof authorization === "string") {
      return { failure: "SocketError", message: `could not get a token: ${authorization}` };
    }
    const url = subscription.settings.endpointUrl;
    const { settings } = subscription;
    const request = {
      url,
      headers: { ...headers, ...authorization },
      // Written again where it is looked at: the history keeps thousands of requests.
      get body() {
        return deliveryBody(settings, events);
      },
    };
    const result = await this.#post(url, request.headers, Buffer.from(request.body));
    return fault?.loseAnswer
      ? { failure: "TimedOut", message: "the response was lost: simulated fault", request }
      : { ...result, request };
  }

  /** Ends everything in progress. */
  end(): void {
    for (const end of this.#endings) end();
  }

  async #post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
  ): Promise<AttemptResult> {
    const { client, clock } = this.services;
    const abort = new AbortController();
    const end = () => abort.abort();
    const cancelTimeout = clock.schedule(TIMEOUT_MS, end, MIN_REAL_TIMEOUT_MS);
    this.#endings.add(end);
    try {
      const response = await client.send({
        method: "POST",
        url,
        headers,
        body,
        signal: abort.signal,
      });
      const { status, headers: responseHeaders, body: responseBody } = response;
      return { status, response: { headers: responseHeaders, body: responseBody } };
    } catch (error) {
      if (abort.signal.aborted) return { failure: "TimedOut", message: "no response within 30 s" };
      return {
        failure: "SocketError",
        message: error instanceof Error ? error.message : String(error),
      };
    } finally {
      cancelTimeout();
      this.#endings.delete(end);
    }
  }

  /** A delayed event must not count as busy, or a stepped clock would wait for it. */
  async #delay(delayMs: number, events: number): Promise<void> {
    const { busy, clock } = this.services;
    busy.add(-events);
    await new Promise<void>((resolve) => {
      const cancel = clock.schedule(delayMs, () => end());
      const end = () => {
        busy.add(events);
        this.#endings.delete(end);
        cancel();
        resolve();
      };
      this.#endings.add(end);
    });
  }
}

/** Only a single CloudEvent is delivered without an array around it. */
function isArray({ batching, deliverySchema }: EventSubscriptionSettings): boolean {
  return deliverySchema !== "CloudEventSchemaV1_0" || batching.maxEventsPerBatch > 1;
}

/** Body of a delivery, as Azure writes it. */
function deliveryBody(
  settings: EventSubscriptionSettings,
  events: readonly AcceptedEvent[],
): string {
  const texts = events.map((event) => deliveredJson(event, settings.deliverySchema));
  return isArray(settings) ? `[${texts.join(",")}]` : texts.join("");
}

/** Headers of a delivery, as Azure writes them. */
function deliveryHeaders(
  subscription: EventSubscription,
  events: readonly AcceptedEvent[],
  deliveryCount: number,
): Record<string, string> {
  const { deliveryProperties, deliverySchema } = subscription.settings;
  const cloudEvents = deliverySchema === "CloudEventSchemaV1_0";
  return {
    ...deliveryPropertyHeaders(deliveryProperties, events),
    ...(cloudEvents ? cloudEventHeaders(isArray(subscription.settings)) : JSON_HEADERS),
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
