import type { DeliveryTokens } from "../../entra/index.js";
import type { CancelTimer, Faults, TimerClock } from "../../simulation/index.js";
import type { AcceptedEvent, DeliveryProgress, EventContent, Offer } from "../events/index.js";
import { compileFilter, type FailedCondition } from "../filters/index.js";
import {
  type Deliverer,
  type EventSubscription,
  hasExpired,
  isWebhookSubscription,
} from "../subscriptions/index.js";
import type { SubscriptionDeadLetters } from "./dead-letters.js";
import type { DeliveryAttempt } from "./delivery-attempt.js";
import type { Dispatch } from "./dispatch.js";
import type { EventEnd, EventStages } from "./stages.js";
import { type DeliveryPolicy, verdictOn, waitBeforeRetry } from "./verdict.js";
import { WaitingEvents } from "./waiting-events.js";

/** Concurrent requests to one webhook. */
const CONCURRENCY = 16;

export interface DeliveryServices {
  readonly clock: TimerClock;
  readonly stages: EventStages;
  readonly faults: Faults;
  readonly random: () => number;
  readonly deadLetters: SubscriptionDeadLetters;
  readonly policy: DeliveryPolicy;
  readonly dispatch: Dispatch;
}

/** Events that are delivered together: one, or a batch. */
interface Batch {
  events: readonly AcceptedEvent[];
  attempts: number;
  lastOutcome: string;
  lastAttemptAt: number;
  /** Time of the next attempt. */
  dueAt: number;
}

/** Delivers the events of one subscription. */
export class DeliveryQueue implements Deliverer {
  readonly #waiting: WaitingEvents;
  /** The same object for all events. */
  readonly #accepted: Offer;
  /** Batches whose retry is due. */
  #retries: Batch[] = [];
  /** Batches that wait for their retry. */
  readonly #scheduled = new Map<Batch, CancelTimer>();
  #inFlight = 0;
  #closed = false;
  /** Incremented by `clear`: results of attempts from before are ignored. */
  #epoch = 0;
  #pumpScheduled = false;
  #failedCondition: FailedCondition = () => undefined;

  constructor(
    private readonly current: { readonly subscription: EventSubscription },
    private readonly tokens: DeliveryTokens,
    private readonly services: DeliveryServices,
  ) {
    const { faults, random } = services;
    this.#waiting = new WaitingEvents((waiting) =>
      faults.isReordering ? Math.floor(random() * waiting) : 0,
    );
    const { id: subscriptionId, name } = this.subscription;
    this.#accepted = { subscriptionId, subscription: name, filteredBy: undefined };
  }

  get subscription(): EventSubscription {
    return this.current.subscription;
  }

  settingsChanged(): void {
    this.#failedCondition = compileFilter(this.subscription.settings.filter);
    this.forgetToken();
  }

  forgetToken(): void {
    this.tokens.forget();
  }

  offer(event: AcceptedEvent, content: EventContent, deliveryCount?: number): Offer {
    const filteredBy = this.#isExpired ? "expiration" : this.#failedCondition(event, content);
    if (filteredBy !== undefined) return { ...this.#accepted, filteredBy };
    this.services.stages.tell("matched", this.#accepted.subscriptionId, 1);
    return this.add(event, deliveryCount);
  }

  add(event: AcceptedEvent, deliveryCount = 0): Offer {
    if (this.#closed) return this.#accepted;
    const copies = this.services.faults.copiesFor(this.subscription.name);
    for (let copy = 0; copy < copies; copy++) {
      if (deliveryCount === 0) this.#waiting.add(event);
      else this.#retries.push({ ...newBatch([event]), attempts: deliveryCount });
      this.services.stages.tell("queued", event, this.subscription.id);
    }
    this.#pumpSoon();
    return this.#accepted;
  }

  redeliver(event: AcceptedEvent, deliveryCount: number): void {
    if (this.retryNow(event) === 0) this.add(event, deliveryCount);
  }

  withdraw(events: ReadonlySet<AcceptedEvent>): void {
    const isWithdrawn = (batch: Batch) => batch.events.every((event) => events.has(event));
    const withdrawn = [
      ...this.#waiting.remove(events),
      ...this.#retries.filter(isWithdrawn).flatMap((batch) => batch.events),
    ];
    this.#retries = this.#retries.filter((batch) => !isWithdrawn(batch));
    const { size } = new Set(withdrawn);
    this.services.stages.tell("matched", this.#accepted.subscriptionId, -size);
    this.#settle(withdrawn, "discarded");
  }

  restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): Offer {
    this.services.stages.tell("resumed", event, this.subscription.id);
    if (progress) {
      const { attempts, lastOutcome, lastAttemptAt, nextAttemptAt } = progress;
      const batch = { events: [event], attempts, lastOutcome, lastAttemptAt, dueAt: 0 };
      this.#retryAfter(batch, Math.max(0, nextAttemptAt - this.services.clock.now()));
    } else {
      this.#waiting.add(event);
      this.#pumpSoon();
    }
    return this.#accepted;
  }

  retryNow(event?: AcceptedEvent): number {
    const due = [...this.#scheduled].filter(([{ events }]) => !event || events.includes(event));
    for (const [batch, cancel] of due) {
      cancel();
      batch.dueAt = this.services.clock.now();
      this.#makeDue(batch);
    }
    return due.length;
  }

  close(): void {
    this.#closed = true;
    this.clear();
  }

  clear(): void {
    this.#epoch++;
    const due = this.#waiting.length + count(this.#retries);
    const scheduled = count([...this.#scheduled.keys()]);
    for (const cancel of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
    this.#waiting.clear();
    this.#retries = [];
    this.services.stages.tell("cleared", this.subscription.id, due, scheduled);
  }

  /** Later in this turn of the event loop, so that events published together fill a batch. */
  #pumpSoon(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    setImmediate(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#inFlight < CONCURRENCY && !this.#closed) {
      const batch = this.#retries.shift() ?? this.#nextBatch();
      if (!batch) return;
      this.#inFlight++;
      void this.#deliver(batch).finally(() => {
        this.#inFlight--;
        this.#pump();
      });
    }
  }

  #nextBatch(): Batch | undefined {
    const events = this.#waiting.take(this.subscription.settings.batching);
    return events.length === 0 ? undefined : newBatch(events);
  }

  async #deliver(batch: Batch): Promise<void> {
    const epoch = this.#epoch;
    if (this.#isExpired) return this.#dropExpired(batch);
    await this.#giveUpExpired(batch);
    if (batch.events.length === 0) return;
    // Other events of the batch have expired before its retry is due.
    const early = batch.dueAt - this.services.clock.now();
    if (early > 0) return this.#retryAfter(batch, early);
    const { subscription, tokens } = this;
    const { events, attempts: deliveryCount } = batch;
    const { clock, dispatch, policy } = this.services;
    const at = clock.now();
    const started = performance.now();
    const result = await dispatch.send({ subscription, events, deliveryCount, tokens });
    if (epoch !== this.#epoch) return this.#settle(events, "discarded");
    const durationMs = performance.now() - started;
    const verdict = verdictOn(result, policy, isWebhookSubscription(subscription));
    batch.attempts++;
    batch.lastAttemptAt = at;
    const record = (outcome: DeliveryAttempt["outcome"], nextAttemptAt?: number) =>
      this.#record({
        events,
        deliveryCount,
        at,
        durationMs,
        status: result.status,
        outcome,
        error: result.status === undefined ? result.message : undefined,
        nextAttemptAt,
        request: result.request,
        response: result.response,
      });
    if (verdict.kind === "delivered") {
      record("delivered");
      return this.#settle(events, "delivered");
    }
    batch.lastOutcome = verdict.outcome;
    const exhausted = batch.attempts >= subscription.settings.retryPolicy.maxDeliveryAttempts;
    if (verdict.kind === "refused" || exhausted) {
      record(this.#lastResort);
      const reason = verdict.kind === "refused" ? verdict.reason : "MaxDeliveryAttemptsExceeded";
      return this.#giveUp(batch, events, reason);
    }
    const wait = waitBeforeRetry(policy, batch.attempts, verdict.minimumWaitMs);
    record("retrying", clock.now() + wait);
    this.#retryAfter(batch, wait);
  }

  #record(attempt: Omit<DeliveryAttempt, "subscription" | "subscriptionId">, wasSent = true): void {
    const { id: subscriptionId, name: subscription } = this.subscription;
    this.services.stages.tell("attempted", { subscription, subscriptionId, ...attempt }, wasSent);
  }

  /** What happens to events that are given up. */
  get #lastResort(): "deadLettered" | "dropped" {
    return this.services.deadLetters.takes() ? "deadLettered" : "dropped";
  }

  /** Waits until the retry is due, or until an event of the batch expires. */
  #retryAfter(batch: Batch, wait: number): void {
    const now = this.services.clock.now();
    batch.dueAt = now + wait;
    const untilExpired = Math.max(0, this.#expiryOf(batch) - now);
    const cancel = this.services.clock.schedule(Math.min(wait, untilExpired), () =>
      this.#makeDue(batch),
    );
    this.#scheduled.set(batch, cancel);
    const { events, attempts, lastOutcome, lastAttemptAt, dueAt: nextAttemptAt } = batch;
    this.services.stages.tell("retrying", events, this.subscription.id, {
      attempts,
      lastOutcome,
      lastAttemptAt,
      nextAttemptAt,
    });
  }

  /** When the first event of the batch, or the subscription, expires. */
  #expiryOf({ events }: Batch): number {
    const { expiresAt } = this.subscription.settings;
    const published = events.reduce(
      (first, each) => Math.min(first, each.publishedAt),
      Number.POSITIVE_INFINITY,
    );
    const end = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
    return Math.min(published + this.#timeToLive, end);
  }

  get #timeToLive(): number {
    return this.subscription.settings.retryPolicy.eventTimeToLiveInMinutes * 60_000;
  }

  #makeDue(batch: Batch): void {
    this.#scheduled.delete(batch);
    this.services.stages.tell("due", batch.events, this.subscription.id);
    this.#retries.push(batch);
    this.#pump();
  }

  async #giveUpExpired(batch: Batch): Promise<void> {
    const oldest = this.services.clock.now() - this.#timeToLive;
    const expired = batch.events.filter((event) => event.publishedAt <= oldest);
    if (expired.length === 0) return;
    batch.events = batch.events.filter((event) => event.publishedAt > oldest);
    this.#recordExpiry(batch, expired, this.#lastResort, "the time to live");
    await this.#giveUp(batch, expired, "TimeToLiveExceeded");
  }

  /** An expired subscription has no dead letters. */
  #dropExpired(batch: Batch): void {
    this.#recordExpiry(batch, batch.events, "dropped", "the expiration time of the subscription");
    this.#settle(batch.events, "discarded");
  }

  /** Not an attempt, but the end of those before: without it, they would look unfinished for ever. */
  #recordExpiry(
    { attempts: deliveryCount }: Batch,
    events: readonly AcceptedEvent[],
    outcome: "deadLettered" | "dropped",
    limit: string,
  ): void {
    const at = this.services.clock.now();
    const error = `${limit} has passed`;
    const end = { events, deliveryCount, at, durationMs: 0, status: undefined, outcome, error };
    this.#record(end, false);
  }

  async #giveUp(batch: Batch, events: readonly AcceptedEvent[], reason: string): Promise<void> {
    const end = this.#lastResort;
    await this.services.deadLetters.put(events, reason, batch);
    this.#settle(events, end);
  }

  #settle(events: readonly AcceptedEvent[], end: EventEnd): void {
    this.services.stages.tell("settled", events, this.subscription.id, end);
  }

  get #isExpired(): boolean {
    return hasExpired(this.subscription.settings, this.services.clock);
  }
}

function newBatch(events: readonly AcceptedEvent[]): Batch {
  return { events, attempts: 0, lastOutcome: "", lastAttemptAt: 0, dueAt: 0 };
}

function count(batches: readonly Batch[]): number {
  return batches.reduce((sum, { events }) => sum + events.length, 0);
}
