import { createHash, randomBytes } from "node:crypto";
import type { AcceptedEvent } from "../events/index.js";

/** An event with its lock. */
export interface ReceivedEvent {
  readonly event: AcceptedEvent;
  readonly lockToken: string;
  /** Number of deliveries with this one: 1 at first. */
  readonly deliveryCount: number;
}

export interface ReceiveOptions {
  /** 1–100. @default 1 */
  readonly maxEvents?: number | undefined;
  /** The longest wait for the first event, in milliseconds of the cloud's clock. @default 0 */
  readonly maxWaitMs?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** An event of a queue as it is now. */
export interface QueueEntry {
  readonly event: AcceptedEvent;
  readonly state: "waiting" | "locked" | "delayed";
  /** Number of deliveries so far. */
  readonly deliveryCount: number;
  /** Of a locked event. */
  readonly lockToken: string | undefined;
}

/** Why an operation on one lock token failed. */
export interface FailedLockToken {
  readonly lockToken: string;
  readonly error: {
    readonly code: "BadToken" | "TokenLost" | "InternalServerError";
    readonly message: string;
  };
}

/** The result of an operation on lock tokens. Tokens fail one by one. */
export interface LockResult {
  readonly succeededLockTokens: readonly string[];
  readonly failedLockTokens: readonly FailedLockToken[];
}

/** The numbers of events of a queue: in it now, and since it was created. */
export interface QueueCounts {
  /** Events that can be received. */
  readonly waiting: number;
  readonly locked: number;
  /** Events that were released with a delay, which has not passed. */
  readonly delayed: number;
  /** When the oldest of these events was published, in milliseconds since 1970. */
  readonly oldest: number | undefined;
  readonly acknowledged: number;
  readonly released: number;
  readonly rejected: number;
  /** Events whose lock ran out. */
  readonly lockExpired: number;
  readonly deadLettered: number;
  readonly dropped: number;
}

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
    return (
      text.startsWith(this.#prefix) &&
      text.length === 2 * this.#prefix.length &&
      !/[^A-Za-z0-9+/]/.test(text)
    );
  }
}
