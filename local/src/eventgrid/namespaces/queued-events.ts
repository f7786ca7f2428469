import { createHash, randomBytes } from "node:crypto";
import type { CancelTimer, TimerClock } from "../../simulation/index.js";
import type { AcceptedEvent } from "../events/index.js";

/** A scaled clock leaves receivers at least this real time, since their work takes real time. */
const MIN_REAL_LOCK_MS = 5_000;

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
  /** How long to wait for the first event, in milliseconds of the cloud's clock. @default 0 */
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

/** An event of a queue. */
export interface QueuedEvent {
  readonly event: AcceptedEvent;
  /** Number of deliveries so far. */
  deliveryCount: number;
  /** Milliseconds since 1970, on the cloud's clock; 0 before the first delivery. */
  lastDeliveryAt: number;
  /** The token of the current lock. */
  lockToken: string | undefined;
  /** What keeps the event from receivers; `undefined` for an event that waits. */
  hold: Hold | undefined;
}

export function stateOf({ lockToken, hold }: QueuedEvent): "waiting" | "locked" | "delayed" {
  if (lockToken !== undefined) return "locked";
  return hold ? "delayed" : "waiting";
}

/** Events that are kept from receivers until the same time, by a lock or by the delay of a release. */
interface Hold {
  readonly events: Set<QueuedEvent>;
  cancel: CancelTimer;
}

/** The events of a queue: each one waits, is locked, or was released with a delay. */
export class QueuedEvents {
  /** In the order of publication. */
  readonly #all = new Set<QueuedEvent>();
  readonly #waiting = new Set<QueuedEvent>();
  readonly #locked = new Map<string, QueuedEvent>();

  /** @param onFreed gets events whose lock or delay is over. They do not wait yet. */
  constructor(
    private readonly clock: TimerClock,
    private readonly onFreed: (events: readonly QueuedEvent[], wereLocked: boolean) => void,
  ) {}

  get waiting(): number {
    return this.#waiting.size;
  }

  get locked(): number {
    return this.#locked.size;
  }

  get size(): number {
    return this.#all.size;
  }

  [Symbol.iterator](): Iterator<QueuedEvent> {
    return this.#all.values();
  }

  lockedBy(token: string): QueuedEvent | undefined {
    return this.#locked.get(token);
  }

  add(queued: QueuedEvent): void {
    this.#all.add(queued);
  }

  /** Makes an event available to receivers. */
  wait(queued: QueuedEvent): void {
    this.#waiting.add(queued);
  }

  /** The first events that wait. */
  first(most: number): QueuedEvent[] {
    const events: QueuedEvent[] = [];
    for (const queued of this.#waiting) {
      if (events.length >= most) break;
      events.push(queued);
    }
    return events;
  }

  /** Locks events with the token that each has. */
  lock(events: readonly QueuedEvent[], durationMs: number): void {
    for (const queued of events) {
      if (queued.lockToken !== undefined) this.#locked.set(queued.lockToken, queued);
    }
    this.#hold(events, durationMs, MIN_REAL_LOCK_MS);
  }

  /** Ends the locks of events, and keeps them from receivers for a while. */
  delay(events: readonly QueuedEvent[], durationMs: number): void {
    for (const queued of events) this.free(queued);
    this.#hold(events, durationMs);
  }

  /** Ends the lock or the delay of an event. */
  free(queued: QueuedEvent): void {
    this.#waiting.delete(queued);
    if (queued.lockToken !== undefined) this.#locked.delete(queued.lockToken);
    queued.lockToken = undefined;
    this.#endHold(queued);
  }

  remove(queued: QueuedEvent): void {
    this.free(queued);
    this.#all.delete(queued);
  }

  clear(): void {
    for (const queued of [...this.#all]) this.remove(queued);
  }

  #hold(events: readonly QueuedEvent[], durationMs: number, atLeastRealMs = 0): void {
    const hold: Hold = { events: new Set(events), cancel: () => {} };
    for (const queued of events) {
      this.#waiting.delete(queued);
      this.#endHold(queued);
      queued.hold = hold;
    }
    const wereLocked = events.some(({ lockToken }) => lockToken !== undefined);
    const free = () => {
      const freed = [...hold.events];
      for (const queued of freed) this.free(queued);
      this.onFreed(freed, wereLocked);
    };
    if (events.length > 0) hold.cancel = this.clock.schedule(durationMs, free, atLeastRealMs);
  }

  #endHold(queued: QueuedEvent): void {
    const { hold } = queued;
    if (!hold) return;
    queued.hold = undefined;
    hold.events.delete(queued);
    if (hold.events.size === 0) hold.cancel();
  }
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
    return text.startsWith(this.#prefix) && /^[A-Za-z0-9+/]{80}$/.test(text);
  }
}
