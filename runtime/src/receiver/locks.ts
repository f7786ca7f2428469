import { AZURE_LIMITS } from "../binding/index.js";
import type { Received } from "../events/envelope/index.js";
import type { EventClaims, EventDelivery, Outcome } from "../handling/index.js";
import type { Log } from "../observability.js";
import type { Clock } from "../time.js";
import { RequestFailure } from "../transport/index.js";
import type { ReceiverContext } from "./context.js";
import type { LockedEvent, QueueClient } from "./queue.js";
import type { Queue } from "./settings.js";

/**
 * One event that was received, from its lock to its settlement.
 *
 * ```
 * waiting ──► handling ──► ended: the settlement is on its way, or the lock is lost. Event Grid
 *    └───────────────────────▲    delivers it again unless the settlement arrives in time
 * ```
 */
export class PulledEvent implements EventDelivery {
  state: "waiting" | "handling" | "ended" = "waiting";
  readonly received: readonly [Received];
  outcomes: Outcome[] = [];
  claims: EventClaims | undefined = undefined;
  readonly caller = undefined;
  /** By the receiver's timer. */
  lockExpiresAtMs: number;
  renewAtMs: number;
  readonly lockToken: string;
  readonly attempt: number;
  readonly subscriptionName: string;
  readonly subscriptionKey: string;
  private abort: AbortController | undefined = undefined;

  /** @param receivedAtMs by the receiver's timer */
  constructor(
    received: Received,
    private readonly locked: LockedEvent,
    queue: Queue,
    readonly receivedAtMs: number,
    readonly log: Log,
  ) {
    const { lockToken, deliveryCount } = locked;
    this.received = [received];
    this.lockToken = lockToken;
    this.attempt = deliveryCount;
    this.subscriptionName = queue.subscriptionName;
    this.subscriptionKey = queue.subscriptionKey;
    this.lockExpiresAtMs = receivedAtMs + queue.lockMs;
    this.renewAtMs = receivedAtMs + queue.lockMs / 2;
  }

  get isOverdue(): boolean {
    return this.state === "ended";
  }

  jsonOf(): string | undefined {
    return this.locked.json();
  }

  get signal(): AbortSignal {
    this.abort ??= new AbortController();
    return this.abort.signal;
  }

  /** Event Grid will deliver the event again: aborts the handler's signal. */
  lose(reason: string): void {
    this.state = "ended";
    this.abort ??= new AbortController();
    this.abort.abort(new DOMException(reason, "TimeoutError"));
  }
}

export const MAX_TOKENS = 100;

/**
 * Renews the locks of events that are not settled, at half of their time, for an hour at most: the
 * service accepts no renewal later. Then they run out.
 */
export class Locks {
  readonly #timer: Clock;
  readonly #lockMs: number;
  /** Between two attempts to renew the same lock. */
  readonly #retryMs: number;
  readonly #held = new Set<PulledEvent>();
  #cancelSweep: (() => void) | undefined;

  /** @param onLost called once for an event whose lock has run out */
  constructor(
    { settings, timer }: ReceiverContext,
    private readonly client: QueueClient,
    private readonly onLost: (event: PulledEvent) => void,
  ) {
    this.#timer = timer;
    this.#lockMs = settings.queue.lockMs;
    this.#retryMs = this.#lockMs / 10;
  }

  hold(event: PulledEvent): void {
    this.#held.add(event);
    // Locks that are held already are due earlier.
    if (this.#cancelSweep === undefined) this.#schedule();
  }

  drop(event: PulledEvent): void {
    this.#held.delete(event);
    if (this.#held.size > 0) return;
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  /** Looks at the locks when the first of them is due. */
  #schedule(): void {
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const { renewAtMs, lockExpiresAtMs } of this.#held) {
      next = Math.min(next, renewAtMs, lockExpiresAtMs);
    }
    if (next === Number.POSITIVE_INFINITY) return;
    const delayMs = Math.max(1, Math.ceil(next - this.#timer.now()));
    this.#cancelSweep = this.#timer.schedule(delayMs, () => this.#sweep());
  }

  #sweep(): void {
    const now = this.#timer.now();
    const due: PulledEvent[] = [];
    for (const event of this.#held) {
      if (event.lockExpiresAtMs <= now) this.#lose(event);
      else if (event.renewAtMs <= now) {
        due.push(event);
        event.renewAtMs = now + this.#retryMs;
      }
    }
    for (let start = 0; start < due.length; start += MAX_TOKENS) {
      void this.#renew(due.slice(start, start + MAX_TOKENS), now);
    }
    this.#schedule();
  }

  /** @param sentAtMs from when the new locks count, because they may start before the response */
  async #renew(events: readonly PulledEvent[], sentAtMs: number): Promise<void> {
    const tokens = events.map(({ lockToken }) => lockToken);
    const failed = await this.client.operate("renewLock", tokens);
    // The next sweep tries again, for as long as the lock lasts.
    if (failed instanceof RequestFailure) return;
    for (const event of events) {
      if (!this.#held.has(event)) continue;
      const code = failed.get(event.lockToken);
      if (code === undefined) {
        event.lockExpiresAtMs = sentAtMs + this.#lockMs;
        event.renewAtMs = this.#nextRenewal(event, sentAtMs);
      } else if (isLost(code)) this.#lose(event);
    }
    this.#schedule();
  }

  #nextRenewal({ receivedAtMs }: PulledEvent, sentAtMs: number): number {
    // As late as possible, so that the last lock ends as late as possible.
    const last = receivedAtMs + AZURE_LIMITS.lockRenewalMs - this.#retryMs;
    if (sentAtMs >= last) return Number.POSITIVE_INFINITY;
    return Math.min(last, sentAtMs + this.#lockMs / 2);
  }

  #lose(event: PulledEvent): void {
    this.#held.delete(event);
    this.onLost(event);
  }
}

/** Reports whether the service does not know the lock any more. Other codes are troubles that may pass. */
export function isLost(code: string): boolean {
  return code === "TokenLost" || code === "BadToken";
}
