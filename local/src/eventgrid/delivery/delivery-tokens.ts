import type { IssuedToken, Tokens } from "../../entra/index.js";
import type { EventSubscription } from "../subscriptions/event-subscription.js";

/** A token that ends sooner is not used for another delivery. */
const SPARE_MS = 5 * 60 * 1000;

/** The token of one subscription, fetched once and kept while it lasts. */
export class DeliveryTokens {
  #token: Promise<IssuedToken> | undefined;

  constructor(
    private readonly tokens: Tokens,
    /** The wall's clock, which tokens follow. */
    private readonly now: () => number,
  ) {}

  async authorization(subscription: EventSubscription): Promise<Record<string, string>> {
    const { clientId, tenantId } = subscription.settings;
    if (clientId === undefined) return {};
    let issued = await this.#token;
    if (!issued || issued.expiresAt - this.now() < SPARE_MS) {
      this.#token = this.tokens.issueDelivery({ clientId, tenantId });
      issued = await this.#token;
    }
    return { authorization: `Bearer ${issued.token}` };
  }

  forget(): void {
    this.#token = undefined;
  }
}
