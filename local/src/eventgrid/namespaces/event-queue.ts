import type { CancelTimer, Faults, TimerClock } from "../../simulation/index.js";
import {
  type Counter,
  type EventEnd,
  type EventStages,
  type SubscriptionDeadLetters,
  undeliverable,
} from "../delivery/index.js";
import type { AcceptedEvent, DeliveryProgress, EventContent, Offer } from "../events/index.js";
import { compileFilter, type FailedCondition } from "../filters/index.js";
import { type Deliverer, hasExpired } from "../subscriptions/index.js";
import {
  type FailedLockToken,
  type LockResult,
  LockTokens,
  type QueueCounts,
  type QueuedEvent,
  QueuedEvents,
  type QueueEntry,
  type ReceivedEvent,
  type ReceiveOptions,
  stateOf,
} from "./queued-events.js";
import type { NamespaceSubscriptionSettings } from "./settings.js";

/** Renewals end this long after the event was received. */
const MAX_RENEWAL_MS = 60 * 60 * 1000;

export interface QueueSubscription {
  readonly id: string;
  readonly name: string;
  readonly settings: NamespaceSubscriptionSettings;
}

export interface QueueServices {
  readonly clock: TimerClock;
  /** Receivers decide when an event ends, so nobody waits for that: only the journal learns of it. */
  readonly stages: EventStages;
  readonly faults: Faults;
  readonly deadLetters: SubscriptionDeadLetters;
  /** Events in progress, for which a stepped clock waits. */
  readonly busy: Counter;
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
export class EventQueue implements Deliverer {
  readonly #events: QueuedEvents;
  /** Receivers that wait, each by the function that ends its wait. */
  readonly #receivers = new Set<() => void>();
  readonly #tokens: LockTokens;
  /** The same object for all events. */
  readonly #accepted: Offer;
  #failedCondition: FailedCondition = () => undefined;
  #cancelExpiry: CancelTimer | undefined;
  #isServing = false;
  #closed = false;
  #totals = { ...noTotals };

  constructor(
    readonly subscription: QueueSubscription,
    private readonly services: QueueServices,
  ) {
    const { id: subscriptionId, name } = subscription;
    this.#events = new QueuedEvents(services.clock, (events, wereLocked) => {
      if (wereLocked) this.#totals.lockExpired += events.length;
      this.#makeAvailable(events);
    });
    this.#tokens = new LockTokens(subscriptionId);
    this.#accepted = { subscriptionId, subscription: name, filteredBy: undefined };
  }

  get counts(): QueueCounts {
    const { waiting, locked, size } = this.#events;
    const [oldest] = this.#events;
    return {
      waiting,
      locked,
      delayed: size - waiting - locked,
      oldest: oldest?.event.publishedAt,
      ...this.#totals,
    };
  }

  /** The oldest events of the queue, at most this many. */
  entries(most: number): QueueEntry[] {
    const entries: QueueEntry[] = [];
    for (const queued of this.#events) {
      if (entries.length === most) break;
      const { event, deliveryCount, lockToken } = queued;
      entries.push({ event, state: stateOf(queued), deliveryCount, lockToken });
    }
    return entries;
  }

  settingsChanged(): void {
    this.#failedCondition = compileFilter(this.subscription.settings.filter);
    this.#watchExpiry();
  }

  offer(event: AcceptedEvent, content: EventContent): Offer {
    const filteredBy = this.isExpired ? "expiration" : this.#failedCondition(event, content);
    if (filteredBy !== undefined) return { ...this.#accepted, filteredBy };
    return this.add(event);
  }

  add(event: AcceptedEvent): Offer {
    if (this.#closed) return this.#accepted;
    const copies = this.services.faults.copiesFor(this.subscription.name);
    for (let copy = 0; copy < copies; copy++) {
      this.services.stages.tell("queued", event, this.subscription.id);
      const queued = newQueued(event);
      this.#events.add(queued);
      this.#events.wait(queued);
    }
    if (this.#cancelExpiry === undefined) this.#watchExpiry();
    this.#serveSoon();
    return this.#accepted;
  }

  withdraw(events: ReadonlySet<AcceptedEvent>): void {
    for (const queued of [...this.#events]) {
      if (events.has(queued.event)) this.#settle(queued, "discarded");
    }
  }

  /** The locks of an earlier process are over. */
  restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): Offer {
    const queued = newQueued(event);
    queued.deliveryCount = progress?.attempts ?? 0;
    queued.lastDeliveryAt = progress?.lastAttemptAt ?? 0;
    this.#events.add(queued);
    const delayMs = (progress?.nextAttemptAt ?? 0) - this.services.clock.now();
    if (delayMs > 0) this.#events.delay([queued], delayMs);
    else this.#makeAvailable([queued]);
    if (this.#cancelExpiry === undefined) this.#watchExpiry();
    return this.#accepted;
  }

  retryNow(event?: AcceptedEvent): number {
    const delayed = [...this.#events].filter(
      (queued) =>
        queued.hold && queued.lockToken === undefined && (!event || queued.event === event),
    );
    for (const queued of delayed) this.#events.free(queued);
    this.#makeAvailable(delayed);
    return delayed.length;
  }

  clear(): void {
    this.#events.clear();
    this.#totals = { ...noTotals };
    this.#cancelExpiry?.();
    this.#cancelExpiry = undefined;
    this.services.stages.tell("cleared", this.subscription.id, 0, 0);
  }

  close(): void {
    this.#closed = true;
    this.clear();
    for (const end of this.#receivers) end();
  }

  /** Whether the subscription has reached its expiration time. */
  get isExpired(): boolean {
    return hasExpired(this.subscription.settings, this.services.clock);
  }

  /** Locks events as soon as there is one: perhaps fewer than were asked for, and none at the end. */
  async receive({
    maxEvents = 1,
    maxWaitMs = 0,
    signal,
  }: ReceiveOptions = {}): Promise<ReceivedEvent[]> {
    const isFirst = this.#receivers.size === 0;
    if (maxWaitMs <= 0 || (isFirst && this.#events.waiting > 0)) return this.#lock(maxEvents);
    if (this.#closed || signal?.aborted) return [];
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
      this.#serveSoon();
    });
  }

  acknowledge(lockTokens: readonly string[]): LockResult {
    return this.#forEach(lockTokens, (queued) => {
      this.#totals.acknowledged++;
      this.#settle(queued, "delivered");
      return true;
    });
  }

  /** Makes events available again, after a delay. */
  release(lockTokens: readonly string[], delayMs = 0): LockResult {
    return this.#forEach(lockTokens, (queued) => {
      this.#totals.released++;
      if (delayMs > 0) this.#events.delay([queued], delayMs);
      else this.#events.free(queued);
      this.#record(queued, delayMs > 0 ? this.services.clock.now() + delayMs : 0);
      if (delayMs <= 0) this.#makeAvailable([queued]);
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
      this.#events.lock([queued], this.#lockMs);
      return true;
    });
  }

  get #lockMs(): number {
    return this.subscription.settings.receiveLockDurationInSeconds * 1000;
  }

  #forEach(
    lockTokens: readonly string[],
    /** Returns `false` if the lock is lost. */
    operate: (queued: QueuedEvent) => boolean,
  ): LockResult {
    const succeededLockTokens: string[] = [];
    const failedLockTokens: FailedLockToken[] = [];
    for (const lockToken of lockTokens) {
      const queued = this.#events.lockedBy(lockToken);
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
    const events = this.#events.first(maxEvents);
    const received = events.map((queued) => {
      const lockToken = this.#tokens.next();
      queued.lockToken = lockToken;
      queued.deliveryCount++;
      queued.lastDeliveryAt = now;
      this.#record(queued, 0);
      return { event: queued.event, lockToken, deliveryCount: queued.deliveryCount };
    });
    this.#events.lock(events, this.#lockMs);
    return received;
  }

  /** Events whose lock or delay is over wait for receivers, unless they may not be delivered again. */
  #makeAvailable(events: readonly QueuedEvent[]): void {
    const { maxDeliveryCount } = this.subscription.settings;
    for (const queued of events) {
      if (queued.deliveryCount >= maxDeliveryCount) {
        this.#giveUp(queued, "MaxDeliveryAttemptsExceeded", NOT_SETTLED);
      } else if (queued.event.publishedAt <= this.#expiredBefore) {
        this.#giveUp(queued, TIME_TO_LIVE, NOT_SETTLED);
      } else this.#events.wait(queued);
    }
    this.#serveSoon();
  }

  /** Later in this turn of the event loop, so that events published together are received together. */
  #serveSoon(): void {
    if (this.#isServing || this.#receivers.size === 0) return;
    this.#isServing = true;
    setImmediate(() => {
      this.#isServing = false;
      for (const end of this.#receivers) {
        if (this.#events.waiting === 0) return;
        end();
      }
    });
  }

  get #expiredBefore(): number {
    return this.services.clock.now() - this.subscription.settings.eventTimeToLiveInMinutes * 60_000;
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
    const end = deadLetters.takes() ? "deadLettered" : "dropped";
    if (end === "deadLettered") {
      const letter = undeliverable(event, reason, { attempts, lastOutcome, lastAttemptAt });
      busy.add(1);
      void deadLetters.put([letter]).finally(() => busy.add(-1));
    }
    this.#totals[end]++;
    this.#settle(queued, end);
  }

  #settle(queued: QueuedEvent, end: EventEnd): void {
    this.#events.remove(queued);
    this.services.stages.tell("settled", [queued.event], this.subscription.id, end);
  }

  #record(queued: QueuedEvent, nextAttemptAt: number): void {
    const { event, deliveryCount: attempts, lastDeliveryAt: lastAttemptAt } = queued;
    const progress = { attempts, lastOutcome: "", lastAttemptAt, nextAttemptAt };
    this.services.stages.tell("retrying", [event], this.subscription.id, progress);
  }
}

const badToken = { code: "BadToken", message: "Cannot decode lockToken" } as const;
const tokenLost = { code: "TokenLost", message: "Token has expired." } as const;

const NOT_SETTLED = "Event was not acknowledged nor rejected.";
const TIME_TO_LIVE = "TimeToLiveExceeded";

function newQueued(event: AcceptedEvent): QueuedEvent {
  return { event, deliveryCount: 0, lastDeliveryAt: 0, lockToken: undefined, hold: undefined };
}
