import { MINUTE_MS, sameScope } from "../../base/index.js";
import type { AcceptedEvent, DeliveryProgress, EventEnd, EventRecord } from "../events/index.js";
import type { Handshake } from "../subscriptions/index.js";
import type { Topic } from "../topics/index.js";
import type { DeadLetter } from "./dead-letters.js";
import type { DeliveryAttempt } from "./delivery-attempt.js";

/*
 * What happens to an event, stage by stage, and those that want to know: the journal, the metrics,
 * the histories and the counters. docs/contributing/event-paths.md draws the sequence.
 */

/** The stages in their order, each with what its observers learn. */
interface Stages {
  /** A webhook was asked for its consent. */
  handshaken: [handshake: Handshake];
  /** A topic or domain accepted a request with so many events. */
  published: [topic: Topic, count: number];
  /** A topic or domain refused a request, whose events may not have been read. */
  refused: [topic: Topic];
  /** No subscription in the scope of an event wanted it. */
  unmatched: [topicId: string];
  /** An event was accepted, and offered to the subscriptions in its scope. */
  accepted: [record: EventRecord];
  /** The filter of a subscription let so many events through, or fewer than reported before. */
  matched: [subscriptionId: string, count: number];
  /** An event waits for its first attempt. */
  queued: [event: AcceptedEvent, subscriptionId: string];
  /** As `queued`, for an event of an earlier process. */
  resumed: [event: AcceptedEvent, subscriptionId: string];
  /** A request was sent, and answered or not; or a time limit has passed before it was due. */
  attempted: [attempt: DeliveryAttempt];
  /** Events wait for their retry, on the cloud's clock. */
  retrying: [events: readonly AcceptedEvent[], subscriptionId: string, progress: DeliveryProgress];
  /** The wait for a retry is over. */
  due: [events: readonly AcceptedEvent[], subscriptionId: string];
  /** An event was written to its dead-letter container. */
  deadLettered: [deadLetter: DeadLetter];
  /** Nothing more happens to these events. */
  settled: [events: readonly AcceptedEvent[], subscriptionId: string, end: EventEnd];
  /** All events of a subscription were discarded: so many that were due, and that waited. */
  cleared: [subscriptionId: string, due: number, waiting: number];
  /** The list of dead letters was emptied. */
  deadLettersCleared: [];
}

/** Learns what happens to events: a method for each stage that it wants to know. */
export type EventObserver = { [Stage in keyof Stages]?: (...details: Stages[Stage]) => void };

/** Passes what happens on to its observers, in the order in which they were added. */
export class EventStages {
  constructor(private readonly observers: readonly EventObserver[]) {}

  report<Stage extends keyof Stages>(stage: Stage, ...details: Stages[Stage]): void {
    for (const observer of this.observers) observer[stage]?.(...details);
  }
}

/** Counts work in progress and reports when there is none. */
export class Counter {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  add(number: number): void {
    this.#count += number;
    if (this.#count > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  /** Resolves when the count is zero, or after `timeoutMs` real milliseconds. */
  async zero(timeoutMs?: number): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

/** Counts events that are not settled: all of them, and those that do not wait for a retry. */
export class PendingEvents implements EventObserver {
  readonly backlog = new Counter();

  /** @param busy a stepped clock waits for these before it moves */
  constructor(private readonly busy: Counter) {}

  queued(): void {
    this.busy.add(1);
    this.backlog.add(1);
  }

  resumed(): void {
    this.queued();
  }

  retrying({ length }: readonly AcceptedEvent[]): void {
    this.busy.add(-length);
  }

  due({ length }: readonly AcceptedEvent[]): void {
    this.busy.add(length);
  }

  settled({ length }: readonly AcceptedEvent[]): void {
    this.busy.add(-length);
    this.backlog.add(-length);
  }

  cleared(_: string, due: number, waiting: number): void {
    this.busy.add(-due);
    this.backlog.add(-(due + waiting));
  }
}

/**
 * Azure's metrics of an event subscription; the first two count attempts, the others events.
 *
 * @see https://learn.microsoft.com/azure/azure-monitor/reference/supported-metrics/microsoft-eventgrid-eventsubscriptions-metrics
 */
export const deliveryMetrics = [
  "DeliverySuccessCount",
  "DeliveryAttemptFailCount",
  "MatchedEventCount",
  "DroppedEventCount",
  "DeadLetteredCount",
] as const;

/** Azure's metrics of a topic or domain that are not those of its event subscriptions. */
export const topicMetrics = [
  "PublishSuccessCount",
  "PublishFailCount",
  "UnmatchedEventCount",
] as const;
export type Metric = (typeof deliveryMetrics)[number] | (typeof topicMetrics)[number];

/** A day of minutes. */
const MAX_MINUTES = 24 * 60;

type Counts = Partial<Record<Metric, number>>;

/** Counts what happened at each topic and event subscription by minute, for a day. */
export class DeliveryMetrics implements EventObserver {
  readonly #minutes = new Map<string, Map<number, Counts>>();

  constructor(private readonly clock: { now(): number }) {}

  published(topic: Topic, count: number): void {
    this.#add(topic.id, "PublishSuccessCount", count);
  }

  refused(topic: Topic): void {
    this.#add(topic.id, "PublishFailCount", 1);
  }

  unmatched(topicId: string): void {
    this.#add(topicId, "UnmatchedEventCount", 1);
  }

  matched(subscriptionId: string, count: number): void {
    this.#add(subscriptionId, "MatchedEventCount", count);
  }

  attempted({ subscriptionId, outcome, events, attempt }: DeliveryAttempt): void {
    if (attempt === undefined) return;
    const isDelivered = outcome === "delivered";
    const metric = isDelivered ? "DeliverySuccessCount" : "DeliveryAttemptFailCount";
    this.#add(subscriptionId, metric, events.length);
  }

  settled(events: readonly AcceptedEvent[], subscriptionId: string, end: EventEnd): void {
    if (end === "deadLettered") this.#add(subscriptionId, "DeadLetteredCount", events.length);
    if (end === "dropped") this.#add(subscriptionId, "DroppedEventCount", events.length);
  }

  #add(id: string, metric: Metric, count: number): void {
    const minute = Math.floor(this.clock.now() / MINUTE_MS);
    let minutes = this.#minutes.get(id);
    if (minutes === undefined) {
      minutes = new Map();
      this.#minutes.set(id, minutes);
    }
    let counts = minutes.get(minute);
    if (counts === undefined) {
      counts = {};
      minutes.set(minute, counts);
      const [oldest] = minutes.keys();
      if (minutes.size > MAX_MINUTES && oldest !== undefined) minutes.delete(oldest);
    }
    counts[metric] = (counts[metric] ?? 0) + count;
  }

  /** The sum of a metric from one time until before another, in milliseconds since 1970. */
  total(id: string, metric: Metric, from: number, to: number): number {
    let total = 0;
    for (const [counted, minutes] of this.#minutes) {
      if (!sameScope(counted, id)) continue;
      for (const [minute, counts] of minutes) {
        const at = minute * MINUTE_MS;
        if (at >= from && at < to) total += counts[metric] ?? 0;
      }
    }
    return total;
  }

  clear(): void {
    this.#minutes.clear();
  }
}

/** An event that a subscription has not settled yet. */
export interface PendingDelivery {
  readonly event: AcceptedEvent;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  /** Missing before the first attempt has failed. */
  readonly progress: DeliveryProgress | undefined;
}

/** Records undelivered events and dead letters, so that they survive the process. */
export type Journal = EventObserver & {
  /**
   * Writes the records, before an event is reported as accepted.
   *
   * @throws ServiceError 503 if they cannot be written
   */
  flush(): void;
};

/** Keeps everything in memory only. */
export const noJournal: Journal = { flush: () => {} };
