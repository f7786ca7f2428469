import { hash } from "node:crypto";
import type { VerifiedCaller } from "../../handling/index.js";

interface VerifiedToken {
  readonly caller: VerifiedCaller;
  readonly expiresAtMs: number;
}

/**
 * Remembers verified tokens: Event Grid sends the same one with every delivery for an hour or more.
 *
 * A token is forgotten when it expires. Tokens that failed are never remembered, so an anonymous
 * caller cannot fill the cache. Tokens are looked up by hash, except the last one: comparing it
 * costs a hundredth of hashing it. That the comparison stops at the first difference reveals
 * nothing useful about a signature of 342 characters.
 */
export class TokenCache {
  readonly #tokens = new Map<string, VerifiedToken>();
  readonly #limit: number;
  #last: (VerifiedToken & { readonly token: string }) | undefined;

  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  get(token: string, now: number): VerifiedCaller | undefined {
    if (token === this.#last?.token && now < this.#last.expiresAtMs) return this.#last.caller;
    const key = hash("sha256", token, "base64");
    const verified = this.#tokens.get(key);
    if (verified === undefined) return undefined;
    if (now < verified.expiresAtMs) {
      this.#last = { ...verified, token };
      return verified.caller;
    }
    this.#tokens.delete(key);
    return undefined;
  }

  add(token: string, caller: VerifiedCaller, expiresAtMs: number): void {
    if (this.#tokens.size >= this.#limit) {
      const [oldest] = this.#tokens.keys();
      if (oldest !== undefined) this.#tokens.delete(oldest);
    }
    this.#tokens.set(hash("sha256", token, "base64"), { caller, expiresAtMs });
  }

  /** Forgets all tokens. Call it when keys change: a token is only as good as the key that signed it. */
  clear(): void {
    this.#tokens.clear();
    this.#last = undefined;
  }
}
