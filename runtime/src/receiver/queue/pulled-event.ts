import type { EventClaims } from "../../deduplication/index.js";
import type { Received } from "../../events/envelope/index.js";
import type { EventDelivery, Outcome } from "../../handling/index.js";
import type { Log } from "../../log.js";
import type { Queue } from "../settings/index.js";
import type { LockedEvent } from "./queue-client.js";

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
  readonly lockToken: string;
  readonly deliveryCount: number;
  readonly subscriptionName: string;
  readonly subscriptionKey: string;
  private abort: AbortController | undefined = undefined;

  /** @param receivedAtMs by the receiver's timer */
  constructor(
    received: Received,
    { lockToken, deliveryCount }: LockedEvent,
    queue: Queue,
    readonly receivedAtMs: number,
    readonly log: Log,
  ) {
    this.received = [received];
    this.lockToken = lockToken;
    // The service counts from 1.
    this.deliveryCount = deliveryCount - 1;
    this.subscriptionName = queue.subscriptionName;
    this.subscriptionKey = queue.subscriptionKey;
    this.lockExpiresAtMs = receivedAtMs + queue.lockMs;
    this.renewAtMs = receivedAtMs + queue.lockMs / 2;
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
