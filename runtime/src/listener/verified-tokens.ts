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
 * Holds hashes only, and none beyond its token's expiry. Tokens that failed are not remembered:
 * an anonymous caller must not decide what is kept.
 */
export class VerifiedTokens {
  readonly #tokens = new Map<string, VerifiedToken>();
  readonly #limit: number;

  constructor(limit = 1_000) {
    this.#limit = limit;
  }

  get(token: string, now: number): VerifiedCaller | undefined {
    const key = hash("sha256", token, "base64");
    const found = this.#tokens.get(key);
    if (found === undefined) return undefined;
    if (now < found.expiresAt) return found.caller;
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
  }
}
