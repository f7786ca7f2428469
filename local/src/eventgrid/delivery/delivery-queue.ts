import type { CancelTimer, TimerClock } from "../../clock/index.js";
import type { AcceptedEvent, CloudEvent } from "../event.js";
import { compileFilter, type EventPredicate } from "../filters/event-filter.js";
import type { History } from "../history.js";
import type { EventSubscription } from "../subscriptions/event-subscription.js";
import type { Tally } from "../tally.js";
import type { DeadLettered, DeadLetterStore } from "./dead-letter-store.js";
import type { DeliveryAttempt } from "./delivery-attempt.js";
import type { DeliveryTokens } from "./delivery-tokens.js";
import type { Dispatch } from "./dispatch.js";
import { EventLine } from "./event-line.js";
import { verdictOn, waitBeforeRetry } from "./verdict.js";

/** Requests to one webhook at the same time. */
const CONCURRENCY = 16;

export interface DeliveryServices {
  readonly clock: TimerClock;
  /** Events that are neither delivered nor given up. */
  readonly backlog: Tally;
  /** Events whose turn it is: all but those that wait for a retry. */
  readonly busy: Tally;
  readonly attempts: History<DeliveryAttempt>;
  /** How many times an event is delivered; once but for a fault. */
  readonly copies: () => number;
  /** Which of the events in line is next, from 0; the first but for a fault. */
  readonly pick: (inLine: number) => number;
  readonly deadLetters: DeadLetterStore;
  readonly dispatch: Dispatch;
}

/** Events that travel together: one, or as many as the subscription's batches take. */
interface Parcel {
  events: readonly AcceptedEvent[];
  attempts: number;
  lastOutcome: string;
  lastAttemptAt: number;
}

/** What one subscription has still to deliver. */
export class DeliveryQueue {
  readonly #line: EventLine;
  #retries: Parcel[] = [];
  readonly #waiting = new Map<Parcel, CancelTimer>();
  #underWay = 0;
  #closed = false;
  /** Parcels of an earlier one are forgotten. */
  #epoch = 0;
  #pumping = false;
  #wants: EventPredicate = () => true;

  constructor(
    private readonly subscription: () => EventSubscription,
    private readonly tokens: DeliveryTokens,
    private readonly services: DeliveryServices,
  ) {
    this.#line = new EventLine(services.pick);
  }

  /** Takes the new settings to heart; the filter, for one, is prepared from them. */
  settingsChanged(): void {
    this.#wants = compileFilter(this.subscription().settings.filter);
    this.forgetToken();
  }

  /** The next delivery fetches a new one. */
  forgetToken(): void {
    this.tokens.forget();
  }

  /** Takes the event if the subscription wants it. */
  offer(event: AcceptedEvent, content: CloudEvent): void {
    if (this.#closed || this.#isExpired() || !this.#wants(event, content)) return;
    const copies = this.services.copies();
    this.services.backlog.add(copies);
    this.services.busy.add(copies);
    for (let copy = 0; copy < copies; copy++) this.#line.add(event);
    this.#pumpSoon();
  }

  /** Forgets what is left, and takes nothing any more. */
  close(): void {
    this.#closed = true;
    this.clear();
  }

  /** Forgets what is left; attempts under way come to nothing. */
  clear(): void {
    this.#epoch++;
    const ready = this.#line.length;
    const retries = count(this.#retries);
    const waiting = count([...this.#waiting.keys()]);
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#line.clear();
    this.#retries = [];
    this.services.busy.add(-(ready + retries));
    this.services.backlog.add(-(ready + retries + waiting));
  }

  /** Later in this turn of the event loop, so that what comes together can travel together. */
  #pumpSoon(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#underWay < CONCURRENCY && !this.#closed) {
      const parcel = this.#retries.shift() ?? this.#nextParcel();
      if (!parcel) return;
      this.#underWay++;
      void this.#deliver(parcel).finally(() => {
        this.#underWay--;
        this.#pump();
      });
    }
  }

  #nextParcel(): Parcel | undefined {
    const events = this.#line.take(this.subscription().settings.batching);
    if (events.length === 0) return undefined;
    return { events, attempts: 0, lastOutcome: "", lastAttemptAt: 0 };
  }

  async #deliver(parcel: Parcel): Promise<void> {
    const epoch = this.#epoch;
    if (this.#isExpired()) return this.#finish(parcel.events);
    await this.#giveUpExpired(parcel);
    if (parcel.events.length === 0) return;
    const subscription = this.subscription();
    const { retryPolicy } = subscription.settings;
    const deliveryCount = parcel.attempts;
    const at = this.services.clock.now();
    const { dispatch } = this.services;
    const result = await dispatch.send(subscription, parcel.events, deliveryCount, this.tokens);
    if (epoch !== this.#epoch) return this.#finish(parcel.events);
    const verdict = verdictOn(result);
    parcel.attempts++;
    parcel.lastAttemptAt = at;
    const record = (outcome: DeliveryAttempt["outcome"], nextAttemptAt?: number) =>
      this.services.attempts.add(
        {
          subscription: subscription.name,
          events: parcel.events,
          deliveryCount,
          at,
          status: result.status,
          outcome,
          ...(result.status === undefined ? { error: result.message } : {}),
          ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
        },
        parcel.events.reduce((sum, event) => sum + event.sizeInBytes, 0),
      );
    if (verdict.kind === "delivered") {
      record("delivered");
      return this.#finish(parcel.events);
    }
    parcel.lastOutcome = verdict.outcome;
    const exhausted = parcel.attempts >= retryPolicy.maxDeliveryAttempts;
    if (verdict.kind === "refused" || exhausted) {
      record(this.services.deadLetters.takes(subscription) ? "deadLettered" : "dropped");
      const reason = verdict.kind === "refused" ? verdict.reason : "MaxDeliveryAttemptsExceeded";
      return this.#giveUp(parcel, parcel.events, reason);
    }
    const wait = waitBeforeRetry(parcel.attempts, verdict.minimumWaitMs);
    record("retrying", this.services.clock.now() + wait);
    this.#retryAfter(parcel, wait);
  }

  #retryAfter(parcel: Parcel, wait: number): void {
    const cancel = this.services.clock.schedule(wait, () => {
      this.#waiting.delete(parcel);
      this.services.busy.add(parcel.events.length);
      this.#retries.push(parcel);
      this.#pump();
    });
    this.#waiting.set(parcel, cancel);
    this.services.busy.add(-parcel.events.length);
  }

  /** The time to live is looked at when an attempt is due, as Azure does. */
  async #giveUpExpired(parcel: Parcel): Promise<void> {
    const lifetime = this.subscription().settings.retryPolicy.eventTimeToLiveInMinutes * 60_000;
    const oldest = this.services.clock.now() - lifetime;
    const expired = parcel.events.filter((event) => event.publishedAt < oldest);
    if (expired.length === 0) return;
    parcel.events = parcel.events.filter((event) => event.publishedAt >= oldest);
    await this.#giveUp(parcel, expired, "TimeToLiveExceeded");
  }

  async #giveUp(parcel: Parcel, events: readonly AcceptedEvent[], reason: string): Promise<void> {
    const entries: DeadLettered[] = events.map((event) => ({
      event,
      reason: {
        deadletterreason: reason,
        deliveryattempts: parcel.attempts,
        lastdeliveryoutcome: parcel.lastOutcome,
        publishtime: new Date(event.publishedAt).toISOString(),
        lastdeliveryattempttime: new Date(parcel.lastAttemptAt).toISOString(),
      },
    }));
    await this.services.deadLetters.put(this.subscription(), entries);
    this.#finish(events);
  }

  #finish(events: readonly AcceptedEvent[]): void {
    this.services.busy.add(-events.length);
    this.services.backlog.add(-events.length);
  }

  #isExpired(): boolean {
    const { expiresAt } = this.subscription().settings;
    return expiresAt !== undefined && Date.parse(expiresAt) <= this.services.clock.now();
  }
}

function count(parcels: readonly Parcel[]): number {
  return parcels.reduce((sum, { events }) => sum + events.length, 0);
}
