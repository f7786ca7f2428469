import type { IssuedToken, Tokens } from "../../entra/index.js";
import type { EventSubscription } from "../subscriptions/index.js";

/** A token is replaced this long before it expires. */
const RENEWAL_MS = 5 * 60 * 1000;

/** The token of one subscription, cached until shortly before it expires. */
export class DeliveryTokens {
  #token: Promise<IssuedToken> | undefined;
  /** One string for all deliveries, since the latest are kept with their headers. */
  #header = { token: "", value: "" };
  #expiresAt = 0;

  constructor(
    private readonly tokens: Tokens,
    /** The wall clock, which tokens follow. */
    private readonly now: () => number,
  ) {}

  /** The header with the token; empty if no application protects the webhook. */
  async authorization({ settings }: EventSubscription): Promise<Record<string, string>> {
    const { clientId, tenantId } = settings;
    if (clientId === undefined) return {};
    const { token } = await this.#current(clientId, tenantId);
    if (this.#header.token !== token) this.#header = { token, value: `Bearer ${token}` };
    return { authorization: this.#header.value };
  }

  forget(): void {
    this.#token = undefined;
  }

  #current(clientId: string, tenantId: string): Promise<IssuedToken> {
    if (this.#token && this.now() + RENEWAL_MS <= this.#expiresAt) return this.#token;
    const fetched = this.tokens.issueDelivery({ clientId, tenantId });
    this.#token = fetched;
    // Concurrent deliveries share the request; a failed one is not cached.
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
