import type {
  AcceptedEvent,
  DeadLetter,
  DeliveryAttempt,
  EventGrid,
  EventRecord,
} from "../eventgrid/index.js";

/** An event of a recording that was accepted again. */
export interface ReplayedEvent {
  /** Where the recording has it, for example `incident.ndjson, line 3`. */
  readonly place: string;
  /** The event as it was accepted again. */
  readonly event: AcceptedEvent;
  /** Name of the topic; `undefined` for an event of one of Azure's services. */
  readonly topic: string | undefined;
  /** One for each event subscription of the topic or resource. */
  readonly deliveries: readonly ReplayedDelivery[];
}

/** The outcome of an event at one event subscription. */
export interface ReplayedDelivery {
  /** Name of the event subscription. */
  readonly subscription: string;
  /** Resource ID of the event subscription. */
  readonly subscriptionId: string;
  /**
   * - `"delivered"`, `"deadLettered"`, `"dropped"`
   * - `"retrying"`: the latest attempt failed, and the next one is due later
   * - `"pending"`: not answered yet, or in the queue of a namespace
   * - `"filtered"`: the filter of the subscription kept it out
   * - `"notReady"`: the subscription was not ready, for example because its handshake failed
   */
  readonly outcome: DeliveryAttempt["outcome"] | "pending" | "filtered" | "notReady";
  /** HTTP status of the latest answer; `undefined` without one. */
  readonly status: number | undefined;
  /** The filter, the state of the subscription, why there was no response, or the dead-letter reason. */
  readonly reason: string | undefined;
  /** All attempts, oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** Derives the outcome of an event at each event subscription from the attempts to deliver it. */
export function outcomesOf(
  { event, offers, unready }: EventRecord,
  attempts: readonly DeliveryAttempt[],
  deadLetters: readonly DeadLetter[],
): ReplayedDelivery[] {
  const offered = offers.map(({ filteredBy, subscription, subscriptionId }) => {
    const own = attempts.filter((attempt) => attempt.subscriptionId === subscriptionId);
    const last = own.at(-1);
    const result = { subscription, subscriptionId, status: last?.status, attempts: own };
    if (last?.outcome === "deadLettered") {
      const letter = deadLetters.findLast(
        (each) => each.event === event && each.subscription === subscription,
      );
      return { ...result, outcome: last.outcome, reason: letter?.deadletterreason ?? last.error };
    }
    if (last) return { ...result, outcome: last.outcome, reason: last.error };
    const outcome = filteredBy === undefined ? ("pending" as const) : ("filtered" as const);
    return { ...result, outcome, reason: filteredBy };
  });
  const notReady = unready.map(({ state, ...subscription }) => ({
    ...subscription,
    outcome: "notReady" as const,
    status: undefined,
    reason: state,
    attempts: [],
  }));
  return [...offered, ...notReady];
}

/** Follows the deliveries of replayed events, however long the histories of the cloud are. */
export class Outcomes {
  readonly #events = new Map<AcceptedEvent, { place: string; attempts: DeliveryAttempt[] }>();
  /** Ends following them. */
  readonly end: () => void;

  constructor(private readonly eventGrid: EventGrid) {
    this.end = eventGrid.activity.listen((activity) => {
      if (activity.kind !== "delivery") return;
      for (const event of activity.attempt.events) {
        this.#events.get(event)?.attempts.push(activity.attempt);
      }
    });
  }

  add(event: AcceptedEvent, place: string): void {
    this.#events.set(event, { place, attempts: [] });
  }

  list(): ReplayedEvent[] {
    const { activity } = this.eventGrid;
    const deadLetters = this.eventGrid.deadLetters().filter(({ event }) => this.#events.has(event));
    return [...this.#events].map(([event, { place, attempts }]) => {
      const record = activity.recordOf(event);
      const deliveries = record ? outcomesOf(record, attempts, deadLetters) : [];
      return { place, event, topic: record?.topic, deliveries };
    });
  }
}
