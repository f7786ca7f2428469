import { createHash, randomBytes } from "node:crypto";

const BYTES = 30;

/**
 * Lock tokens of one event subscription: 80 base64 characters, of which the first half is the same for
 * all events of the subscription, as recorded.
 */
export class LockTokens {
  readonly #prefix: string;

  constructor(subscriptionId: string) {
    const hash = createHash("sha256").update(subscriptionId.toLowerCase()).digest();
    this.#prefix = hash.subarray(0, BYTES).toString("base64");
  }

  next(): string {
    return this.#prefix + randomBytes(BYTES).toString("base64");
  }

  /** Whether the text may once have been a token of this subscription. */
  isToken(text: string): boolean {
    return text.startsWith(this.#prefix) && /^[A-Za-z0-9+/]{80}$/.test(text);
  }
}
