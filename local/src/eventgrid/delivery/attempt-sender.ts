import { randomUUID } from "node:crypto";
import { Bag } from "../../base/index.js";
import type { DeliveryTokens } from "../../entra/index.js";
import { type EndpointClient, isUnknownHost } from "../../network/index.js";
import type { Faults, TimerClock } from "../../simulation/index.js";
import {
  type BodyOf,
  entityProblem,
  type MessageResponse,
  type Messages,
  sizeProblem,
  takesDeliveryProperties,
} from "../destinations/index.js";
import { type AcceptedEvent, deliveredJson } from "../events/index.js";
import {
  deliveryPropertyHeaders,
  type EventSubscription,
  type EventSubscriptionSettings,
  isWebhookSubscription,
  ORIGIN,
  type WebhookSubscription,
} from "../subscriptions/index.js";
import type { DeliveryRequest } from "./delivery-attempt.js";
import type { AttemptResult } from "./retry-policy.js";
import type { Counter } from "./stages.js";

/** Event Grid gives up on a response after this time. */
export const RESPONSE_TIMEOUT_MS = 30_000;
/** A scaled clock leaves an endpoint at least this real time, since its work takes real time. */
const MIN_REAL_TIMEOUT_MS = 5_000;

/** Why a destination refuses messages now: 404 if it does not exist. */
export interface DeliveryProblem {
  readonly status: 401 | 404;
  readonly reason: string;
}

/** One attempt to deliver events. */
interface Delivery<S extends EventSubscription = EventSubscription> {
  readonly subscription: S;
  readonly events: readonly AcceptedEvent[];
  /** Number of earlier attempts. */
  readonly deliveryCount: number;
  readonly tokens: Pick<DeliveryTokens, "authorization">;
}

/** Sends deliveries to their destinations, applying faults. */
export class AttemptSender {
  /** Ends requests and delays in progress. */
  readonly #endings = new Bag<() => void>();

  constructor(
    private readonly services: {
      readonly clock: Pick<TimerClock, "schedule">;
      readonly client: Pick<EndpointClient, "send">;
      readonly messages: Pick<Messages, "send">;
      /** Publishes a CloudEvent to the topic of a namespace. */
      readonly routing: { route(topicId: string, json: string): MessageResponse };
      readonly faults: Faults;
      /** Why the subscription may not send now. */
      readonly deliveryProblem: (subscription: EventSubscription) => DeliveryProblem | undefined;
      /** Finds the body of a resource that Resource Manager stores. */
      readonly storedBody: BodyOf;
      /** Events in progress, without those that wait for the clock. */
      readonly busy: Counter;
    },
  ) {}

  /** Makes one attempt. Never rejects. */
  async send(delivery: Delivery): Promise<AttemptResult> {
    const { subscription, events } = delivery;
    const fault = this.services.faults.nextForDelivery(subscription.name);
    if (fault?.delayMs) await this.#delay(fault.delayMs, events.length);
    if (fault?.unreachable) return { failure: "SocketError", message: "simulated fault" };
    if (fault?.status !== undefined) return { status: fault.status };

    const problem =
      subscription.settings.destination && this.services.deliveryProblem(subscription);
    const result = problem
      ? refusal(problem)
      : isWebhookSubscription(subscription)
        ? await this.#post({ ...delivery, subscription })
        : await this.#sendMessage(delivery);
    if (!fault?.loseResponse) return result;
    const message = "the response was lost: simulated fault";
    return { failure: "TimedOut", message, request: result.request };
  }

  /** Ends everything in progress. */
  end(): void {
    for (const end of this.#endings.list()) end();
  }

  async #post(delivery: Delivery<WebhookSubscription>): Promise<AttemptResult> {
    const { settings } = delivery.subscription;
    const authorization = await delivery.tokens.authorization(settings).catch(String);
    if (typeof authorization === "string") {
      return { failure: "SocketError", message: `could not get a token: ${authorization}` };
    }
    const headers = { ...deliveryHeaders(delivery), ...authorization };
    const request = new WebhookRequest(settings, headers, delivery.events);
    return this.#withTimeout(request, async (signal) => {
      const { url } = request;
      const body = Buffer.from(request.body);
      const answer = await this.services.client.send({
        method: "POST",
        url,
        headers,
        body,
        signal,
      });
      // A copy of Node's headers takes a fraction of their memory.
      const response = { headers: { ...answer.headers }, body: answer.body };
      return { status: answer.status, request, response };
    });
  }

  /** Messages are never batched. */
  async #sendMessage(delivery: Delivery): Promise<AttemptResult> {
    const { name, id: subscriptionId, settings } = delivery.subscription;
    const { destination } = settings;
    const [event] = delivery.events;
    if (!event || !destination) return { failure: "SocketError", message: "no destination" };
    const body = deliveredJson(event, settings.deliverySchema);
    const properties = takesDeliveryProperties(destination) ? messageProperties(delivery) : {};
    const tooLarge = sizeProblem(destination, body, properties, this.services.storedBody);
    if (tooLarge !== undefined) return refusal({ status: 413, reason: tooLarge });
    const failed = entityProblem(destination, properties, this.services.storedBody);
    if (failed) return failed;
    return this.#withTimeout(undefined, async (signal) => {
      const message = { subscription: name, subscriptionId, event, body, properties };
      const answer =
        destination.endpointType === "NamespaceTopic"
          ? this.services.routing.route(String(destination.properties.resourceId), body)
          : await this.services.messages.send(destination, message, signal);
      return {
        status: answer.status,
        request: { url: answer.url, headers: properties, body },
        response: { headers: answer.headers, body: { text: answer.body, truncated: false } },
      };
    });
  }

  async #withTimeout(
    request: DeliveryRequest | undefined,
    send: (signal: AbortSignal) => Promise<AttemptResult>,
  ): Promise<AttemptResult> {
    const abort = new AbortController();
    const end = () => abort.abort();
    const cancelTimeout = this.services.clock.schedule(
      RESPONSE_TIMEOUT_MS,
      end,
      MIN_REAL_TIMEOUT_MS,
    );
    const remove = this.#endings.add(end);
    try {
      return await send(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) {
        return { failure: "TimedOut", message: "no response within 30 s", request };
      }
      const failure = isUnknownHost(error) ? "ResolutionError" : "SocketError";
      return { failure, message: messageOf(error), request };
    } finally {
      cancelTimeout();
      remove();
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
        remove();
        cancel();
        resolve();
      };
      const remove = this.#endings.add(end);
    });
  }
}

/** `fetch` hides the reason in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Only a single CloudEvent is delivered without an array around it. */
function isArray({ batching, deliverySchema }: EventSubscriptionSettings): boolean {
  return deliverySchema !== "CloudEventSchemaV1_0" || batching.maxEventsPerBatch > 1;
}

/** The result of an attempt that the destination refuses. */
function refusal({ status, reason: text }: { status: number; reason: string }): AttemptResult {
  return { status, response: { headers: {}, body: { text, truncated: false } } };
}

/** A delivery's request. The body is built again when it is read, because the history keeps thousands. */
class WebhookRequest implements DeliveryRequest {
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
    const { deliverySchema } = this.#settings;
    const texts = this.#events.map((event) => deliveredJson(event, deliverySchema));
    return isArray(this.#settings) ? `[${texts.join(",")}]` : texts.join("");
  }
}

/** Headers of a delivery to a webhook, as Azure writes them. */
function deliveryHeaders(delivery: Delivery): Record<string, string> {
  const { settings } = delivery.subscription;
  const properties = messageProperties(delivery);
  if (settings.deliverySchema !== "CloudEventSchemaV1_0") {
    return { "content-type": "application/json; charset=utf-8", ...properties };
  }
  const batch = isArray(settings) ? "-batch" : "";
  return {
    "content-type": `application/cloudevents${batch}+json; charset=utf-8`,
    "webhook-request-origin": ORIGIN,
    ...properties,
  };
}

/** Properties of a message, which a webhook gets as headers. */
function messageProperties({
  subscription,
  events,
  deliveryCount,
}: Delivery): Record<string, string> {
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
  return { ...deliveryPropertyHeaders(deliveryProperties, events, deliverySchema), ...own };
}
