import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { MINUTE_MS, type ServiceError, sameScope, serviceError, textAt } from "../../base/index.js";
import type { Directory } from "../../directory/index.js";
import { DeliveryTokens, type Tokens } from "../../entra/index.js";
import { type Route, sendJson } from "../../http/index.js";
import type { EndpointClient, EndpointResponse } from "../../network/index.js";
import type { TimerClock } from "../../simulation/index.js";
import { withoutQuery } from "../destinations/index.js";
import { checkWebhookApplication } from "./subscription-rules.js";
import {
  type EventSubscription,
  isWebhookSubscription,
  type WebhookSubscription,
} from "./subscription-store.js";

/** The origin that Event Grid of the public cloud names. */
export const ORIGIN = "eventgrid.azure.net";

/** Deliveries per minute that topics, domains and system topics ask the webhook to allow. */
const REQUESTED_RATE = "120";

const TIMEOUT_MS = 30_000;

/** A handshake, as `cloud.handshakes()` reports it. */
export interface Handshake {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  /** The webhook's URL without its query, which may contain a secret. */
  readonly url: string;
  /** Milliseconds since 1970, on the cloud's clock. */
  readonly at: number;
  /** HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined;
  /** Whether the webhook allowed deliveries. */
  readonly succeeded: boolean;
  /** Why the handshake failed. */
  readonly reason?: string;
}

/** The handshake succeeded if there is no reason against it. */
type Outcome = { readonly status: number | undefined; readonly reason: string | undefined };

/** The header by which webhooks learn how many requests they are to expect. */
type Rate = { readonly "WebHook-Request-Rate"?: string };

type OnManualAction = (validationUrl: string) => void;

/**
 * Time for a person to open the validation URL.
 *
 * @see https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
 */
const MANUAL_TIMEOUT_MS = 10 * MINUTE_MS;

/** A handshake that ends when its validation URL is opened. */
interface ManualHandshake {
  readonly subscription: WebhookSubscription;
  /** Once the webhook has answered without the code. */
  awaiting?: Handshake;
  readonly end: (validated: boolean) => void;
}

/** The handshakes with webhooks. */
export class Handshakes {
  /** By the ID in the validation URL. */
  readonly #manual = new Map<string, ManualHandshake>();

  constructor(
    private readonly eventGrid: {
      readonly origin: string;
      readonly clock: TimerClock;
      readonly client: EndpointClient;
      readonly directory: Directory;
      readonly tokens: Tokens;
      /** The wall clock. */
      readonly now: () => number;
      readonly stages: { report(stage: "handshaken", handshake: Handshake): void };
      /** The caller counts each handshake here; one that waits for a person does not count. */
      readonly busy: { add(number: number): void };
    },
  ) {}

  /** Handshakes whose webhook answered without the code, and whose validation URL is not open yet. */
  awaitingManualAction(): Handshake[] {
    return [...this.#manual.values()].flatMap(({ awaiting }) => awaiting ?? []);
  }

  /** @param onAwaitingManualAction called when someone has to open the validation URL */
  async ofSubscription(
    subscription: EventSubscription,
    onAwaitingManualAction: OnManualAction,
  ): Promise<void> {
    // Only webhooks have a handshake.
    if (!isWebhookSubscription(subscription)) return;
    const isCloudEvents = subscription.settings.deliverySchema === "CloudEventSchemaV1_0";
    if (isCloudEvents)
      await this.#askOptions(subscription, { "WebHook-Request-Rate": REQUESTED_RATE });
    else
      await this.#ask(subscription, "POST", () =>
        this.#postValidationEvent(subscription, onAwaitingManualAction),
      );
  }

  /** Namespaces ask for no rate. */
  async ofNamespace(subscription: WebhookSubscription): Promise<void> {
    checkWebhookApplication(subscription, this.eventGrid.directory);
    await this.#askOptions(subscription, {});
  }

  /** The route of validation URLs: `GET /eventsubscriptions/{name}/validate?id=…` */
  route(): Route {
    return (exchange) => {
      const { method, url } = exchange;
      const [, first, name, last, ...rest] = url.pathname.split("/");
      const isOurs = first === "eventsubscriptions" && last === "validate" && rest.length === 0;
      if (method !== "GET" || !isOurs || name === "") {
        return false;
      }
      if (this.#endManual(String(url.searchParams.get("id")), true)) {
        sendJson(exchange, 200, "Webhook successfully validated as a subscription endpoint.");
      } else {
        const message = "No event subscription awaits validation.";
        sendJson(exchange, 404, { error: { code: "NotFound", message } });
      }
      return true;
    };
  }

  /**
   * Ends handshakes that wait for a person, without success.
   *
   * @param subscriptionId only those of this event subscription. @default all
   */
  stop(subscriptionId?: string): void {
    for (const [id, { subscription }] of this.#manual) {
      if (subscriptionId === undefined || sameScope(subscription.id, subscriptionId)) {
        this.#endManual(id, false);
      }
    }
  }

  #endManual(id: string, validated: boolean): boolean {
    const manual = this.#manual.get(id);
    // What follows is work again, so that a stepped clock does not move past it.
    if (manual?.awaiting) this.eventGrid.busy.add(1);
    manual?.end(validated);
    return this.#manual.delete(id);
  }

  #askOptions(subscription: WebhookSubscription, rate: Rate): Promise<void> {
    return this.#ask(subscription, "OPTIONS", () => this.#requestOptions(subscription, rate));
  }

  async #ask(
    subscription: WebhookSubscription,
    method: "OPTIONS" | "POST",
    request: () => Promise<Outcome>,
  ): Promise<void> {
    const outcome = await request().catch((error): Outcome => {
      const detail = error instanceof Error ? error.message || error.name : String(error);
      const reason = `Http ${method} request failed with response code Unknown (${detail}).`;
      return { status: undefined, reason };
    });
    this.eventGrid.stages.report("handshaken", this.#handshake(subscription, outcome));
    if (outcome.reason !== undefined) throw handshakeError(subscription, outcome.reason);
  }

  #handshake(
    { name, id: subscriptionId, settings }: WebhookSubscription,
    { status, reason }: Outcome,
  ): Handshake {
    return {
      subscription: name,
      subscriptionId,
      url: withoutQuery(settings.endpointUrl),
      at: this.eventGrid.clock.now(),
      status,
      succeeded: reason === undefined,
      ...(reason !== undefined && { reason }),
    };
  }

  /** @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md#4-abuse-protection */
  async #requestOptions({ settings }: WebhookSubscription, rate: Rate): Promise<Outcome> {
    const answer = await this.eventGrid.client.send({
      method: "OPTIONS",
      url: settings.endpointUrl,
      headers: { "WebHook-Request-Origin": ORIGIN, ...rate },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return { status: answer.status, reason: optionsRefusal(answer) };
  }

  /** @see https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema */
  async #postValidationEvent(
    subscription: WebhookSubscription,
    onAwaitingManualAction: OnManualAction,
  ): Promise<Outcome> {
    const { client, clock, origin, tokens, now } = this.eventGrid;
    const code = randomUUID();
    const id = randomUUID();
    const validationUrl = `${origin}/eventsubscriptions/${encodeURIComponent(subscription.name)}/validate?id=${id}`;
    const validated = new Promise<boolean>((end) => this.#manual.set(id, { subscription, end }));
    const cancelTimeout = clock.schedule(MANUAL_TIMEOUT_MS, () => this.#endManual(id, false));
    const event = {
      id: randomUUID(),
      topic: subscription.scope,
      subject: "",
      data: { validationCode: code, validationUrl },
      eventType: "Microsoft.EventGrid.SubscriptionValidationEvent",
      eventTime: new Date().toISOString(),
      metadataVersion: "1",
      dataVersion: "2",
    };
    try {
      const { status, body, completed } = await client.send({
        method: "POST",
        url: subscription.settings.endpointUrl,
        headers: {
          ...(await new DeliveryTokens(tokens, now).authorization(subscription.settings)),
          "content-type": "application/json; charset=utf-8",
          "aeg-event-type": "SubscriptionValidation",
          "aeg-subscription-name": subscription.name.toUpperCase(),
          "aeg-delivery-count": "0",
          "aeg-data-version": "2",
          "aeg-metadata-version": "1",
        },
        body: Buffer.from(JSON.stringify([event])),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (status !== 200) {
        return { status, reason: `Http POST request failed with response code ${nameOf(status)}.` };
      }
      await completed();
      if (validationResponseIn(body.text) === code) return { status, reason: undefined };
      const manual = this.#manual.get(id);
      if (manual) {
        const reason =
          "The response has no validation code. The handshake ends when the validation URL is opened, or fails ten minutes after the request, on the cloud's clock.";
        manual.awaiting = this.#handshake(subscription, { status, reason });
        onAwaitingManualAction(validationUrl);
        this.eventGrid.busy.add(-1);
      }
      if (await validated) return { status, reason: undefined };
      const reason =
        "Http POST request returned 2XX response with response code OK, without the validation code, and the validation URL was not called in time. Please validate the webhook endpoint's response body.";
      return { status, reason };
    } finally {
      cancelTimeout();
      this.#endManual(id, false);
    }
  }
}

function optionsRefusal({ status, headers }: EndpointResponse): string | undefined {
  if (status < 200 || status > 204 || status === 202) {
    return `Http OPTIONS request failed with response code ${nameOf(status)}.`;
  }
  const allowed = headers["webhook-allowed-origin"];
  if (allowed === undefined) {
    return "The response to the Http OPTIONS request has no WebHook-Allowed-Origin header.";
  }
  // One origin or `*`, but no list: section 4.2.1 of the specification.
  return allowed === "*" || String(allowed).toLowerCase() === ORIGIN
    ? undefined
    : `The response to the Http OPTIONS request allows the origin '${allowed}' instead of ${ORIGIN}.`;
}

/** Azure writes `NotFound` for 404. */
function nameOf(status: number): string {
  return STATUS_CODES[status]?.replaceAll(/[^a-z]/gi, "") ?? String(status);
}

function validationResponseIn(body: string): string | undefined {
  try {
    return textAt(JSON.parse(body), "validationResponse");
  } catch {
    return undefined;
  }
}

/** The error for the writer of the subscription. */
function handshakeError({ settings }: WebhookSubscription, reason: string): ServiceError {
  const page =
    settings.deliverySchema === "CloudEventSchemaV1_0" ? "esvalidationcloudevent" : "esvalidation";
  return serviceError["Url validation"](
    `Webhook validation handshake failed for ${withoutQuery(settings.endpointUrl)}. ${reason} For troubleshooting, visit https://aka.ms/${page}.`,
  );
}
