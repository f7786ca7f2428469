import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/index.js";
import type { CancelTimer } from "../../simulation/index.js";
import type { Counter, EventStages } from "../delivery/index.js";
import type { AcceptedEvent, DeliveryProgress, EventEnd, Offer } from "../events/index.js";
import { Subscriber, type SubscriberServices } from "../subscriber.js";
import {
  type FailedLockToken,
  type LockResult,
  LockTokens,
  type QueueCounts,
  type QueueEntry,
  type ReceivedEvent,
  type ReceiveOptions,
} from "./locks.js";
import type { NamespaceSubscriptionSettings } from "./settings.js";

/** Renewals end this long after the event was received. */
const MAX_RENEWAL_MS = HOUR_MS;
/** A scaled clock leaves receivers at least this real time, since their work takes real time. */
const MIN_REAL_LOCK_MS = 5_000;

export interface QueueSubscription {
  readonly id: string;
  readonly name: string;
  readonly settings: NamespaceSubscriptionSettings;
}

export interface QueueServices extends SubscriberServices {
  /** Receivers decide when an event ends, so nobody waits for that: only the journal learns of it. */
  readonly stages: EventStages;
  /** Events in progress, for which a stepped clock waits. */
  readonly busy: Counter;
}

/** An event of the queue: it waits, is locked, or was released with a delay. */
interface QueuedEvent {
  readonly event: AcceptedEvent;
  /** Number of deliveries so far. */
  deliveryCount: number;
  /** Milliseconds since 1970, on the cloud's clock; 0 before the first delivery. */
  lastDeliveryAt: number;
  /** The token of the current lock. */
  lockToken?: string | undefined;
  /** Stops the timer of the lock or the delay; missing for an event that waits. */
  endHold?: CancelTimer | undefined;
}

const noTotals = {
  acknowledged: 0,
  released: 0,
  rejected: 0,
  lockExpired: 0,
  deadLettered: 0,
  dropped: 0,
};

/** The queue of one event subscription, which receivers empty. */
export class QueueSubscriber extends Subscriber<QueueSubscription, QueueServices> {
  /** In the order of publication. */
  readonly #events = new Set<QueuedEvent>();
  readonly #waiting = new Set<QueuedEvent>();
  readonly #locked = new Map<string, QueuedEvent>();
  /** Receivers that wait, each by the function that ends its wait. */
  readonly #receivers = new Set<() => void>();
  readonly #tokens: LockTokens;
  #cancelExpiry: CancelTimer | undefined;
  #isServing = false;
  #totals = { ...noTotals };

  constructor(subscription: QueueSubscription, services: QueueServices) {
    super({ subscription }, services);
    this.#tokens = new LockTokens(subscription.id);
  }

  get counts(): QueueCounts {
    const [waiting, locked] = [this.#waiting.size, this.#locked.size];
    const [oldest] = this.#events;
    return {
      waiting,
      locked,
      delayed: this.#events.size - waiting - locked,
      oldest: oldest?.event.publishedAt,
      ...this.#totals,
    };
  }

  /** The oldest events of the queue, at most this many. */
  entries(most: number): QueueEntry[] {
    return firstOf(this.#events, most).map(({ event, deliveryCount, lockToken, endHold }) => {
      const state = lockToken !== undefined ? "locked" : endHold ? "delayed" : "waiting";
      return { event, state, deliveryCount, lockToken };
    });
  }

  override settingsChanged(): void {
    super.settingsChanged();
    this.#watchExpiry();
  }

  protected enqueue(event: AcceptedEvent): void {
    const queued = { event, deliveryCount: 0, lastDeliveryAt: 0 };
    this.#events.add(queued);
    this.#waiting.add(queued);
  }

  withdraw(events: ReadonlySet<AcceptedEvent>): void {
    for (const queued of [...this.#events]) {
      if (events.has(queued.event)) this.#end(queued, "discarded");
    }
  }

  /** The locks of an earlier process are over. */
  restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): Offer {
    const { attempts = 0, lastAttemptAt = 0, nextAttemptAt = 0 } = progress ?? {};
    const queued = { event, deliveryCount: attempts, lastDeliveryAt: lastAttemptAt };
    this.#events.add(queued);
    const delayMs = nextAttemptAt - this.services.clock.now();
    if (delayMs > 0) this.#hold(queued, delayMs);
    else this.#makeAvailable(queued);
    this.serve();
    return this.accepted;
  }

  retryNow(event?: AcceptedEvent): number {
    const delayed = [...this.#events].filter(
      (queued) =>
        queued.endHold && queued.lockToken === undefined && (!event || queued.event === event),
    );
    for (const queued of delayed) this.#makeAvailable(queued);
    return delayed.length;
  }

  clear(): void {
    for (const queued of this.#events) this.#remove(queued);
    this.#totals = { ...noTotals };
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    this.services.stages.report("cleared", this.subscription.id, 0, 0);
  }

  override close(): void {
    super.close();
    for (const end of this.#receivers) end();
  }

  /** Locks events as soon as there is one: perhaps fewer than were asked for, and none at the end. */
  async receive({
    maxEvents = 1,
    maxWaitMs = 0,
    signal,
  }: ReceiveOptions = {}): Promise<ReceivedEvent[]> {
    const isFirst = this.#receivers.size === 0;
    if (maxWaitMs <= 0 || (isFirst && this.#waiting.size > 0)) return this.#lock(maxEvents);
    if (this.isClosed || signal?.aborted) return [];
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal?.removeEventListener("abort", end);
        this.#receivers.delete(end);
        resolve(signal?.aborted ? [] : this.#lock(maxEvents));
      };
      const cancel = this.services.clock.schedule(maxWaitMs, end);
      signal?.addEventListener("abort", end);
      this.#receivers.add(end);
      this.serve();
    });
  }

  acknowledge(lockTokens: readonly string[]): LockResult {
    return this.#forEach(lockTokens, (queued) => {
      this.#totals.acknowledged++;
      this.#end(queued, "delivered");
      return true;
    });
  }

  /** Makes events available again, after a delay. */
  release(lockTokens: readonly string[], delayMs: number): LockResult {
    return this.#forEach(lockTokens, (queued) => {
      this.#totals.released++;
      this.#record(queued, delayMs > 0 ? this.services.clock.now() + delayMs : 0);
      this.#unlock(queued);
      if (delayMs > 0) this.#hold(queued, delayMs);
      else this.#makeAvailable(queued);
      return true;
    });
  }

  /** Dead-letters events, or drops them: they are never delivered again. */
  reject(lockTokens: readonly string[]): LockResult {
    return this.#forEach(lockTokens, (queued) => {
      this.#totals.rejected++;
      this.#giveUp(queued, "Rejected", "Event was rejected.");
      return true;
    });
  }

  /** Locks events anew for the whole duration. Their tokens stay. */
  renewLocks(lockTokens: readonly string[]): LockResult {
    return this.#forEach(lockTokens, (queued) => {
      if (this.services.clock.now() - queued.lastDeliveryAt > MAX_RENEWAL_MS) return false;
      this.#hold(queued, this.#lockMs, MIN_REAL_LOCK_MS);
      return true;
    });
  }

  get #lockMs(): number {
    return this.subscription.settings.receiveLockDurationInSeconds * SECOND_MS;
  }

  #forEach(
    lockTokens: readonly string[],
    /** Returns `false` if the lock is lost. */
    operate: (queued: QueuedEvent) => boolean,
  ): LockResult {
    const succeededLockTokens: string[] = [];
    const failedLockTokens: FailedLockToken[] = [];
    for (const lockToken of lockTokens) {
      const queued = this.#locked.get(lockToken);
      if (queued && operate(queued)) succeededLockTokens.push(lockToken);
      else {
        const error = this.#tokens.isToken(lockToken) ? tokenLost : badToken;
        failedLockTokens.push({ lockToken, error });
      }
    }
    return { succeededLockTokens, failedLockTokens };
  }

  #lock(maxEvents: number): ReceivedEvent[] {
    const now = this.services.clock.now();
    return firstOf(this.#waiting, maxEvents).map((queued) => {
      const { event } = queued;
      const lockToken = this.#tokens.next();
      queued.lockToken = lockToken;
      queued.deliveryCount++;
      queued.lastDeliveryAt = now;
      this.#locked.set(lockToken, queued);
      this.#record(queued, 0);
      this.#hold(queued, this.#lockMs, MIN_REAL_LOCK_MS);
      return { event, lockToken, deliveryCount: queued.deliveryCount };
    });
  }

  /** Keeps an event from receivers for a while, by its lock or by the delay of a release. */
  #hold(queued: QueuedEvent, durationMs: number, atLeastRealMs = 0): void {
    this.#waiting.delete(queued);
    queued.endHold?.();
    const end = () => {
      if (queued.lockToken !== undefined) this.#totals.lockExpired++;
      this.#makeAvailable(queued);
    };
    queued.endHold = this.services.clock.schedule(durationMs, end, atLeastRealMs);
  }

  /** Ends the lock or the delay of an event. */
  #unlock(queued: QueuedEvent): void {
    if (queued.lockToken !== undefined) this.#locked.delete(queued.lockToken);
    queued.endHold?.();
    queued.lockToken = undefined;
    queued.endHold = undefined;
  }

  #remove(queued: QueuedEvent): void {
    this.#unlock(queued);
    this.#waiting.delete(queued);
    this.#events.delete(queued);
  }

  /** An event whose lock or delay is over waits for receivers, unless it may not be delivered again. */
  #makeAvailable(queued: QueuedEvent): void {
    this.#unlock(queued);
    if (queued.deliveryCount >= this.subscription.settings.maxDeliveryCount) {
      this.#giveUp(queued, "MaxDeliveryAttemptsExceeded", NOT_SETTLED);
    } else if (queued.event.publishedAt <= this.#expiredBefore) {
      this.#giveUp(queued, TIME_TO_LIVE, NOT_SETTLED);
    } else {
      this.#waiting.add(queued);
      this.serve();
    }
  }

  /** Later in this turn of the event loop, so that events published together are received together. */
  protected serve(): void {
    if (this.#cancelExpiry === undefined) this.#watchExpiry();
    if (this.#isServing || this.#receivers.size === 0) return;
    this.#isServing = true;
    setImmediate(() => {
      this.#isServing = false;
      for (const end of this.#receivers) {
        if (this.#waiting.size === 0) return;
        end();
      }
    });
  }

  get #expiredBefore(): number {
    return (
      this.services.clock.now() - this.subscription.settings.eventTimeToLiveInMinutes * MINUTE_MS
    );
  }

  /** Removes events at the end of their time to live. Those that are locked stay until they are not. */
  #watchExpiry(): void {
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    const expiredBefore = this.#expiredBefore;
    for (const queued of this.#events) {
      const { publishedAt } = queued.event;
      if (publishedAt > expiredBefore) {
        const wait = publishedAt - expiredBefore;
        this.#cancelExpiry = this.services.clock.schedule(wait, () => this.#watchExpiry());
        return;
      }
      if (queued.lockToken === undefined) {
        this.#giveUp(queued, TIME_TO_LIVE, queued.deliveryCount > 0 ? NOT_SETTLED : "");
      }
    }
  }

  #giveUp(queued: QueuedEvent, reason: string, lastOutcome: string): void {
    const { event, deliveryCount: attempts, lastDeliveryAt: lastAttemptAt } = queued;
    const { deadLetters, busy } = this.services;
    const end = this.endWithoutDelivery;
    const problem = deadLetters.problem();
    if (problem !== undefined) {
      process.emitWarning(`The dead letter of the event '${event.id}' is lost: ${problem}`);
    }
    if (end === "deadLettered") {
      busy.add(1);
      const progress = { attempts, lastOutcome, lastAttemptAt };
      void deadLetters.put([event], reason, progress).finally(() => busy.add(-1));
    }
    this.#totals[end]++;
    this.#end(queued, end);
  }

  #end(queued: QueuedEvent, end: EventEnd): void {
    this.#remove(queued);
    this.settle([queued.event], end);
  }

  #record(queued: QueuedEvent, nextAttemptAt: number): void {
    const { event, deliveryCount: attempts, lastDeliveryAt: lastAttemptAt } = queued;
    const progress = { attempts, lastOutcome: "", lastAttemptAt, nextAttemptAt };
    this.services.stages.report("retrying", [event], this.subscription.id, progress);
  }
}

const badToken = { code: "BadToken", message: "Cannot decode lockToken" } as const;
const tokenLost = { code: "TokenLost", message: "Token has expired." } as const;

const NOT_SETTLED = "Event was not acknowledged nor rejected.";
const TIME_TO_LIVE = "TimeToLiveExceeded";

function firstOf<T>(all: ReadonlySet<T>, most: number): T[] {
  const first: T[] = [];
  for (const each of all) {
    if (first.length >= most) break;
    first.push(each);
  }
  return first;
}
