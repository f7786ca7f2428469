import type { TimerClock } from "../../clock/index.js";
import type { Faults } from "../../faults.js";
import type { AcceptedEvent } from "../event.js";
import type { EventSubscription } from "../subscriptions/event-subscription.js";
import type { Tally } from "../tally.js";
import { attempt } from "./attempt.js";
import { deliveryRequest } from "./delivery-request.js";
import type { DeliveryTokens } from "./delivery-tokens.js";
import type { EndpointClient } from "./endpoint-client.js";
import type { AttemptResult } from "./verdict.js";

/** Sends deliveries to their webhooks, unless a fault gets in their way. */
export class Dispatch {
  /** End what is under way, be it a request or a delay. */
  readonly #endings = new Set<() => void>();

  constructor(
    private readonly services: {
      readonly clock: TimerClock;
      readonly client: EndpointClient;
      readonly faults: Faults;
      /** Events that are being worked on; those that wait for the clock are not. */
      readonly busy: Tally;
    },
  ) {}

  /** One attempt; it never rejects. */
  async send(
    subscription: EventSubscription,
    events: readonly AcceptedEvent[],
    deliveryCount: number,
    tokens: DeliveryTokens,
  ): Promise<AttemptResult> {
    const fault = this.services.faults.ofDelivery(subscription.name);
    if (fault?.delayMs) await this.#delay(fault.delayMs, events.length);
    if (fault?.unreachable) return { failure: "SocketError", message: "a fault was asked for" };
    if (fault?.status !== undefined) return { status: fault.status };

    const { headers, body } = deliveryRequest(subscription, events, deliveryCount);
    const authorization = await tokens.authorization(subscription).catch(String);
    if (typeof authorization === "string") {
      return { failure: "SocketError", message: `no token could be had: ${authorization}` };
    }
    const url = subscription.settings.endpointUrl;
    const result = await this.#request(url, { ...headers, ...authorization }, body);
    return fault?.loseAnswer
      ? { failure: "TimedOut", message: "the answer was lost: a fault was asked for" }
      : result;
  }

  /** Breaks off whatever is under way. */
  end(): void {
    for (const end of this.#endings) end();
  }

  async #request(url: string, headers: Record<string, string>, body: Buffer) {
    const { client, clock } = this.services;
    const abort = new AbortController();
    const end = () => abort.abort();
    this.#endings.add(end);
    const result = await attempt(client, clock, url, { headers, body }, abort);
    this.#endings.delete(end);
    return result;
  }

  /** Whatever waits for the clock must not count as busy, or a stepped clock would wait for it. */
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
