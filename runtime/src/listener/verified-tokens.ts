import { hash } from "node:crypto";
import type { VerifiedCaller } from "./event-context.js";

interface VerifiedToken {
  readonly caller: VerifiedCaller;
  readonly expiresAt: number;
}

/**
 * Remembers tokens that were verified: Event Grid sends the same one with every delivery for an
 * hour or more.
 *
 * None is remembered beyond its expiry, and none that failed: an anonymous caller must not decide
 * what is kept. They are found by their hash. Only the last one is also kept as it came, because
 * to compare it costs a hundredth of hashing it; that a comparison ends at the first difference
 * tells nothing about a signature of 342 characters, of which it compares many at a time.
 */
export class VerifiedTokens {
  readonly #tokens = new Map<string, VerifiedToken>();
  readonly #limit: number;
  #last: (VerifiedToken & { readonly token: string }) | undefined;

  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  get(token: string, now: number): VerifiedCaller | undefined {
    if (token === this.#last?.token && now < this.#last.expiresAt) return this.#last.caller;
    const key = hash("sha256", token, "base64");
    const found = this.#tokens.get(key);
    if (found === undefined) return undefined;
    if (now < found.expiresAt) {
      this.#last = { ...found, token };
      return found.caller;
    }
    this.#tokens.delete(key);
    return undefined;
  }

  add(token: string, caller: VerifiedCaller, expiresAt: number): void {
    if (this.#tokens.size >= this.#limit) {
      const [oldest] = this.#tokens.keys();
      if (oldest !== undefined) this.#tokens.delete(oldest);
    }
    this.#tokens.set(hash("sha256", token, "base64"), { caller, expiresAt });
  }

  /** To be called when keys change: a token is worth no more than the key that signed it. */
  clear(): void {
    this.#tokens.clear();
    this.#last = undefined;
  }
}
