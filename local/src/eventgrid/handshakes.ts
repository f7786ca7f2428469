import type { Directory } from "../directory/index.js";
import type { Tokens } from "../entra/index.js";
import type { Route } from "../http/index.js";
import type { EndpointClient } from "../network/index.js";
import type { TimerClock } from "../simulation/index.js";
import { DeliveryTokens, type EventStages } from "./delivery/index.js";
import {
  checkWebhookApplication,
  type EventSubscription,
  handshakeError,
  isWebhookSubscription,
  ManualValidations,
  REQUESTED_RATE,
  sendHandshake,
  type WebhookSubscription,
  withoutQuery,
} from "./subscriptions/index.js";

/** The handshakes with webhooks. */
export class Handshakes {
  readonly #validations: ManualValidations;

  constructor(
    private readonly eventGrid: {
      readonly origin: string;
      readonly clock: TimerClock;
      readonly client: EndpointClient;
      readonly directory: Directory;
      readonly tokens: Tokens;
      /** The wall clock. */
      readonly now: () => number;
      readonly stages: EventStages;
    },
  ) {
    this.#validations = new ManualValidations(eventGrid.origin, eventGrid.clock);
  }

  async ofSubscription(
    subscription: EventSubscription,
    onAwaitingManualAction: (validationUrl: string) => void,
  ): Promise<void> {
    // Only webhooks have a handshake.
    if (!isWebhookSubscription(subscription)) return;
    await this.#askWebhook(subscription, onAwaitingManualAction, REQUESTED_RATE);
  }

  /** Namespaces ask for no rate. */
  async ofNamespace(subscription: WebhookSubscription): Promise<void> {
    checkWebhookApplication(subscription, this.eventGrid.directory);
    await this.#askWebhook(subscription, () => {});
  }

  async #askWebhook(
    subscription: WebhookSubscription,
    onAwaitingManualAction: (validationUrl: string) => void,
    requestedRate?: number,
  ): Promise<void> {
    const { tokens, now } = this.eventGrid;
    const { name, id: subscriptionId, settings } = subscription;
    const outcome = await sendHandshake(subscription, {
      client: this.eventGrid.client,
      validations: this.#validations,
      ...(requestedRate === undefined ? {} : { requestedRate }),
      authorization: () => new DeliveryTokens(tokens, now).authorization(subscription),
      onAwaitingManualAction,
    });
    const url = withoutQuery(settings.endpointUrl);
    const at = this.eventGrid.clock.now();
    this.eventGrid.stages.handshaken({ subscription: name, subscriptionId, url, at, ...outcome });
    if (outcome.reason !== undefined) throw handshakeError(subscription, outcome.reason);
  }

  /** The route of validation URLs. */
  route(): Route {
    return this.#validations.route();
  }

  stop(): void {
    this.#validations.stop();
  }
}
