import { KIB, MINUTE_MS, utcTime } from "../../base/index.js";
import type { DeliveryTokens } from "../../entra/index.js";
import type { CancelTimer } from "../../simulation/index.js";
import type { AcceptedEvent, DeliveryProgress, Offer } from "../events/index.js";
import { Subscriber, type SubscriberServices } from "../subscriber.js";
import {
  type EventSubscription,
  type EventSubscriptionSettings,
  isWebhookSubscription,
} from "../subscriptions/index.js";
import type { AttemptSender } from "./attempt-sender.js";
import type { DeliveryAttempt } from "./delivery-attempt.js";
import { type DeliverySlots, PER_SUBSCRIPTION, type SlotUser } from "./delivery-slots.js";
import { decisionOn, type RetryPolicy, waitBeforeRetry } from "./retry-policy.js";
import type { EventStages } from "./stages.js";

export interface DeliveryServices extends SubscriberServices {
  readonly stages: EventStages;
  readonly random: () => number;
  readonly policy: RetryPolicy;
  readonly sender: Pick<AttemptSender, "send">;
  readonly slots: DeliverySlots;
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

/** Sends the events of one subscription to its endpoint. */
export class PushSubscriber
  extends Subscriber<EventSubscription, DeliveryServices>
  implements SlotUser
{
  readonly #waiting: WaitingEvents;
  /** Batches whose retry is due. */
  #retries: Batch[] = [];
  /** Batches that wait for their retry. */
  readonly #scheduled = new Map<Batch, CancelTimer>();
  #inFlight = 0;
  /** Incremented by `clear`: results of attempts from before are ignored. */
  #epoch = 0;
  #pumpScheduled = false;
  /** The destination whose slots the subscription shares with others: the host of its URL, or its queue. */
  #destination: string | undefined;

  constructor(
    current: { readonly subscription: EventSubscription },
    private readonly tokens: Pick<DeliveryTokens, "authorization" | "forget">,
    services: DeliveryServices,
  ) {
    super(current, services);
    const { faults, random } = services;
    this.#waiting = new WaitingEvents((waiting) =>
      faults.isReordering ? Math.floor(random() * waiting) : 0,
    );
  }

  override settingsChanged(): void {
    super.settingsChanged();
    this.#destination = undefined;
    this.forgetToken();
  }

  override forgetToken(): void {
    this.tokens.forget();
  }

  protected enqueue(event: AcceptedEvent, deliveryCount: number): void {
    if (deliveryCount === 0) this.#waiting.add(event);
    else this.#retries.push({ ...newBatch([event]), attempts: deliveryCount });
  }

  override redeliver(event: AcceptedEvent, deliveryCount: number): void {
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
    this.services.stages.report("matched", this.accepted.subscriptionId, -size);
    this.settle(withdrawn, "discarded");
  }

  restore(event: AcceptedEvent, progress: DeliveryProgress | undefined): Offer {
    this.services.stages.report("resumed", event, this.subscription.id);
    if (progress) {
      const { attempts, lastOutcome, lastAttemptAt, nextAttemptAt } = progress;
      const events = [event];
      const batch = { events, attempts, lastOutcome, lastAttemptAt, dueAt: nextAttemptAt };
      this.#retryAfter(batch, Math.max(0, nextAttemptAt - this.services.clock.now()));
    } else {
      this.#waiting.add(event);
      this.serve();
    }
    return this.accepted;
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

  clear(): void {
    this.#epoch++;
    const due = this.#waiting.length + count(this.#retries);
    const scheduled = count([...this.#scheduled.keys()]);
    for (const cancel of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
    this.#waiting.clear();
    this.#retries = [];
    this.services.stages.report("cleared", this.subscription.id, due, scheduled);
  }

  /** Later in this turn of the event loop, so that events published together fill a batch. */
  protected serve(): void {
    if (this.#pumpScheduled) return;
    this.#pumpScheduled = true;
    setImmediate(() => {
      this.#pumpScheduled = false;
      this.#pump();
    });
  }

  /** Asks for a slot if there is something to deliver. */
  #pump(): void {
    const isIdle = this.#retries.length === 0 && this.#waiting.length === 0;
    if (isIdle || this.isClosed || this.#inFlight >= PER_SUBSCRIPTION) return;
    this.#destination ??= destinationOf(this.subscription.settings);
    this.services.slots.request(this.#destination, this);
  }

  begin(release: () => void): boolean {
    if (this.isClosed) return false;
    const batch = this.#retries.shift() ?? this.#nextBatch();
    if (!batch) return false;
    this.#inFlight++;
    void this.#deliver(batch).finally(() => {
      this.#inFlight--;
      release();
      this.#pump();
    });
    this.#pump();
    return true;
  }

  #nextBatch(): Batch | undefined {
    const events = this.#waiting.take(this.subscription.settings.batching);
    return events.length === 0 ? undefined : newBatch(events);
  }

  async #deliver(batch: Batch): Promise<void> {
    const epoch = this.#epoch;
    if (this.isExpired) return this.#dropExpired(batch);
    await this.#giveUpExpired(batch);
    if (batch.events.length === 0) return;
    // Other events of the batch have expired before its retry is due.
    const early = batch.dueAt - this.services.clock.now();
    if (early > 0) return this.#retryAfter(batch, early);
    const { subscription, tokens } = this;
    const { events, attempts: deliveryCount } = batch;
    const { clock, sender, policy } = this.services;
    const at = clock.now();
    const started = performance.now();
    const result = await sender.send({ subscription, events, deliveryCount, tokens });
    if (epoch !== this.#epoch) return this.settle(events, "discarded");
    const durationMs = performance.now() - started;
    const decision = decisionOn(result, policy, isWebhookSubscription(subscription));
    batch.attempts++;
    batch.lastAttemptAt = at;
    const error = result.status === undefined ? result.message : undefined;
    const record = (outcome: DeliveryAttempt["outcome"], nextAttemptAt?: number) =>
      this.#record({
        events,
        attempt: deliveryCount + 1,
        at,
        durationMs,
        status: result.status,
        outcome,
        error: this.#withLoss(outcome, error),
        nextAttemptAt,
        request: result.request,
        response: result.response,
      });
    if (decision.kind === "delivered") {
      record("delivered");
      return this.settle(events, "delivered");
    }
    batch.lastOutcome = decision.outcome;
    const exhausted = batch.attempts >= subscription.settings.retryPolicy.maxDeliveryAttempts;
    if (decision.kind === "refused" || exhausted) {
      record(this.endWithoutDelivery);
      const reason = decision.kind === "refused" ? decision.reason : "MaxDeliveryAttemptsExceeded";
      return this.#giveUp(batch, events, reason);
    }
    const wait = waitBeforeRetry(policy, batch.attempts, decision.minimumWaitMs);
    record("retrying", clock.now() + wait);
    this.#retryAfter(batch, wait);
  }

  /** The error with the reason why the events do not become dead letters. */
  #withLoss(outcome: DeliveryAttempt["outcome"], error: string | undefined): string | undefined {
    const problem = outcome === "dropped" ? this.services.deadLetters.problem() : undefined;
    if (problem === undefined) return error;
    return [error, `the dead letter is lost: ${problem}`].filter(Boolean).join("; ");
  }

  #record(attempt: Omit<DeliveryAttempt, "subscription" | "subscriptionId">): void {
    const { id: subscriptionId, name: subscription } = this.subscription;
    this.services.stages.report("attempted", { subscription, subscriptionId, ...attempt });
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
    this.services.stages.report("retrying", events, this.subscription.id, {
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
    const end = expiresAt === undefined ? Number.POSITIVE_INFINITY : utcTime(expiresAt);
    return Math.min(published + this.#timeToLive, end);
  }

  get #timeToLive(): number {
    return this.subscription.settings.retryPolicy.eventTimeToLiveInMinutes * MINUTE_MS;
  }

  #makeDue(batch: Batch): void {
    this.#scheduled.delete(batch);
    this.services.stages.report("due", batch.events, this.subscription.id);
    this.#retries.push(batch);
    this.#pump();
  }

  async #giveUpExpired(batch: Batch): Promise<void> {
    const oldest = this.services.clock.now() - this.#timeToLive;
    const expired = batch.events.filter((event) => event.publishedAt <= oldest);
    if (expired.length === 0) return;
    batch.events = batch.events.filter((event) => event.publishedAt > oldest);
    const end = this.endWithoutDelivery;
    this.#recordExpiry(expired, end, this.#withLoss(end, "the time to live has passed"));
    await this.#giveUp(batch, expired, "TimeToLiveExceeded");
  }

  /** An expired subscription has no dead letters. */
  #dropExpired({ events }: Batch): void {
    this.#recordExpiry(events, "dropped", "the expiration time of the subscription has passed");
    this.settle(events, "discarded");
  }

  /** Not an attempt, but the end of those before: without it, they would look unfinished for ever. */
  #recordExpiry(
    events: readonly AcceptedEvent[],
    outcome: "deadLettered" | "dropped",
    error: string | undefined,
  ): void {
    const at = this.services.clock.now();
    const none = { attempt: undefined, durationMs: 0, status: undefined };
    this.#record({ events, at, outcome, error, ...none });
  }

  async #giveUp(batch: Batch, events: readonly AcceptedEvent[], reason: string): Promise<void> {
    const end = this.endWithoutDelivery;
    await this.services.deadLetters.put(events, reason, batch);
    this.settle(events, end);
  }
}

function destinationOf({ endpointUrl, destination }: EventSubscriptionSettings): string {
  if (endpointUrl !== undefined) return new URL(endpointUrl).host;
  return JSON.stringify(destination);
}

function newBatch(events: readonly AcceptedEvent[]): Batch {
  return {
    events,
    attempts: 0,
    lastOutcome: "",
    lastAttemptAt: 0,
    dueAt: Number.NEGATIVE_INFINITY,
  };
}

function count(batches: readonly Batch[]): number {
  return batches.reduce((sum, { events }) => sum + events.length, 0);
}

/** Events that wait for their first delivery. */
class WaitingEvents {
  #events: AcceptedEvent[] = [];
  /** Index of the first event that is not taken yet. */
  #next = 0;

  /** @param pick index of the next among so many waiting events: 0 without a fault */
  constructor(private readonly pick: (waiting: number) => number) {}

  get length(): number {
    return this.#events.length - this.#next;
  }

  add(event: AcceptedEvent): void {
    this.#events.push(event);
  }

  /** Removes the events, and returns those that were waiting. */
  remove(events: ReadonlySet<AcceptedEvent>): AcceptedEvent[] {
    const waiting = this.#events.slice(this.#next);
    this.#events = waiting.filter((event) => !events.has(event));
    this.#next = 0;
    return waiting.filter((event) => events.has(event));
  }

  /** Takes one batch. Empty if no event waits. */
  take(batching: EventSubscriptionSettings["batching"]): AcceptedEvent[] {
    const first = this.#first();
    if (!first) return [];
    this.#next++;
    // An array that grows has room for 16 more, which thousands of attempts would keep.
    const taken = [first];
    let remainingBytes = batching.preferredBatchSizeInKilobytes * KIB - first.sizeInBytes;
    while (taken.length < batching.maxEventsPerBatch) {
      const event = this.#first();
      if (!event) break;
      remainingBytes -= event.sizeInBytes;
      if (remainingBytes < 0) break;
      taken.push(event);
      this.#next++;
    }
    this.#compact();
    return taken;
  }

  clear(): void {
    this.#events = [];
    this.#next = 0;
  }

  /** The next event, after swapping it to the front. */
  #first(): AcceptedEvent | undefined {
    const front = this.#events[this.#next];
    const index = this.#next + (this.length > 1 ? this.pick(this.length) : 0);
    const picked = this.#events[index];
    if (!front || !picked) return front;
    this.#events[index] = front;
    this.#events[this.#next] = picked;
    return picked;
  }

  /** Compacting now and then costs less than a shift for every event. */
  #compact(): void {
    if (this.#next < 1000 || this.#next < this.length) return;
    this.#events = this.#events.slice(this.#next);
    this.#next = 0;
  }
}
