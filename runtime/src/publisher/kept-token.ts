import type { AccessToken, GetTokenOptions } from "@azure/core-auth";

/** Before it expires a token is renewed while requests still go with it. */
const RENEWED_BEFORE_MS = 2 * 60 * 1000;
/** Clocks differ, and a request takes its time. */
const LEFT_AT_LEAST_MS = 5_000;
/** An identity service that fails is asked no more often. */
const BETWEEN_FAILURES_MS = 3_000;

/** Asks for a token, or fails. */
export type AskForToken = (options: GetTokenOptions | undefined) => Promise<AccessToken>;

/**
 * A token, renewed in time. The SDK's client would do that, but where the renewal fails while nobody
 * publishes it leaves a rejection that nobody handles, which ends the process.
 */
export class KeptToken {
  readonly #ask: AskForToken;
  readonly #now: () => number;
  #token: AccessToken | undefined;
  #renewing: Promise<AccessToken> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  /** @param now milliseconds since 1970 */
  constructor(ask: AskForToken, now: () => number) {
    this.#ask = ask;
    this.#now = now;
  }

  /** One that lasts; at once, or where there is none, a promise. */
  get(options: GetTokenOptions | undefined): AccessToken | Promise<AccessToken> {
    const token = this.#token;
    if (token === undefined || options?.claims !== undefined) return this.#renew(options);
    const { expiresOnTimestamp, refreshAfterTimestamp = expiresOnTimestamp } = token;
    const now = this.#now();
    if (expiresOnTimestamp - LEFT_AT_LEAST_MS <= now) return this.#renew(options);
    const early = Math.min(refreshAfterTimestamp, expiresOnTimestamp - RENEWED_BEFORE_MS);
    if (early <= now && this.#failedAt + BETWEEN_FAILURES_MS <= now) {
      // Who needs it when it is over will hear why.
      this.#renew(options).catch(() => {});
    }
    return token;
  }

  #renew(options: GetTokenOptions | undefined): Promise<AccessToken> {
    if (this.#renewing !== undefined && options?.claims === undefined) return this.#renewing;
    const renewing = this.#ask(options)
      .then(
        (token) => {
          this.#token = token;
          return token;
        },
        (error) => {
          this.#failedAt = this.#now();
          throw error;
        },
      )
      .finally(() => {
        if (this.#renewing === renewing) this.#renewing = undefined;
      });
    this.#renewing = renewing;
    return renewing;
  }
}
