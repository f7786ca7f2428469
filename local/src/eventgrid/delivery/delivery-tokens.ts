import type { IssuedToken, Tokens } from "../../entra/index.js";
import type { EventSubscription } from "../subscriptions/event-subscription.js";

/** A token that ends sooner is not used for another delivery. */
const SPARE_MS = 5 * 60 * 1000;

/** The token of one subscription, fetched once and kept while it lasts. */
export class DeliveryTokens {
  #token: Promise<IssuedToken> | undefined;
  #expiresAt = 0;

  constructor(
    private readonly tokens: Tokens,
    /** The wall's clock, which tokens follow. */
    private readonly now: () => number,
  ) {}

  /** The header, or none where no application protects the webhook. */
  async authorization({ settings }: EventSubscription): Promise<Record<string, string>> {
    const { clientId, tenantId } = settings;
    if (clientId === undefined) return {};
    const { token } = await this.#current(clientId, tenantId);
    return { authorization: `Bearer ${token}` };
  }

  forget(): void {
    this.#token = undefined;
  }

  #current(clientId: string, tenantId: string): Promise<IssuedToken> {
    if (this.#token && this.now() + SPARE_MS <= this.#expiresAt) return this.#token;
    const fetched = this.tokens.issueDelivery({ clientId, tenantId });
    this.#token = fetched;
    // Deliveries that begin in the meantime share it; one that cannot be had is not kept.
    this.#expiresAt = Number.POSITIVE_INFINITY;
    fetched.then(
      ({ expiresAt }) => {
        if (this.#token === fetched) this.#expiresAt = expiresAt;
      },
      () => {
        if (this.#token === fetched) this.forget();
      },
    );
    return fetched;
  }
}
