import type { EventClaims } from "../../deduplication/index.js";
import type { Received } from "../../events/envelope/index.js";
import type { EventDelivery, Outcome } from "../../handling/index.js";
import type { Log } from "../../log.js";
import type { PulledBatch } from "./pulled-batch.js";

/**
 * One event that was received, from its lock to its settlement.
 *
 * ```
 * waiting ──► handling ──► settling ──► settled
 *    │           │            │
 *    └───────────┴────────────┴───► lost: Event Grid delivers it again, unless it was settled
 *                                   and only the response is missing
 * ```
 */
export class PulledEvent implements EventDelivery {
  state: "waiting" | "handling" | "settling" | "settled" | "lost" = "waiting";
  readonly received: readonly [Received];
  outcomes: Outcome[] = [];
  claims: EventClaims | undefined = undefined;
  readonly batchSize = 1;
  readonly caller = undefined;
  /** By the receiver's timer. */
  lockExpiresAtMs: number;
  renewAtMs: number;
  private abort: AbortController | undefined = undefined;

  constructor(
    received: Received,
    readonly lockToken: string,
    /** Number of deliveries with this one: 1 at first. */
    readonly attempt: number,
    readonly batch: PulledBatch,
    lockMs: number,
  ) {
    this.received = [received];
    this.lockExpiresAtMs = batch.receivedAtMs + lockMs;
    this.renewAtMs = batch.receivedAtMs + lockMs / 2;
  }

  get deliveryCount(): number {
    return this.attempt - 1;
  }

  get subscriptionName(): string {
    return this.batch.subscriptionName;
  }

  get subscriptionKey(): string {
    return this.batch.subscriptionKey;
  }

  get log(): Log {
    return this.batch.log;
  }

  get isOverdue(): boolean {
    return this.state !== "waiting" && this.state !== "handling";
  }

  get signal(): AbortSignal {
    this.abort ??= new AbortController();
    return this.abort.signal;
  }

  /** Event Grid will deliver the event again: aborts the handler's signal. */
  lose(reason: string): void {
    this.state = "lost";
    this.abort ??= new AbortController();
    this.abort.abort(new DOMException(reason, "TimeoutError"));
  }
}
