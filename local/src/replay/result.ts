import type { AcceptedEvent, DeadLetter, DeliveryAttempt, EventGrid } from "../eventgrid/index.js";

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

/** What became of an event at one event subscription. */
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
    const deadLetters = this.eventGrid.deadLetters().filter(({ event }) => this.#events.has(event));
    return [...this.#events].map(([event, { place, attempts }]) => {
      const record = this.eventGrid.activity.recordOf(event);
      const { topic, offers = [], unready = [] } = record ?? {};
      const delivered = offers.map(({ filteredBy, ...offer }) => ({
        ...offer,
        ...(filteredBy === undefined
          ? outcomeAt(offer, event, attempts, deadLetters)
          : { ...noAttempt, outcome: "filtered" as const, reason: filteredBy }),
      }));
      const notReady = unready.map(({ state, ...subscription }) => ({
        ...subscription,
        ...noAttempt,
        outcome: "notReady" as const,
        reason: state,
      }));
      return { place, event, topic, deliveries: [...delivered, ...notReady] };
    });
  }
}

const noAttempt = { status: undefined, attempts: [] };

function outcomeAt(
  { subscriptionId, subscription }: { subscriptionId: string; subscription: string },
  event: AcceptedEvent,
  all: readonly DeliveryAttempt[],
  deadLetters: readonly DeadLetter[],
): Pick<ReplayedDelivery, "outcome" | "status" | "reason" | "attempts"> {
  const attempts = all.filter((attempt) => attempt.subscriptionId === subscriptionId);
  const last = attempts.at(-1);
  const letter =
    last?.outcome === "deadLettered"
      ? deadLetters.findLast((each) => each.event === event && each.subscription === subscription)
      : undefined;
  return {
    outcome: last?.outcome ?? "pending",
    status: last?.status,
    reason: letter?.deadletterreason ?? last?.error,
    attempts,
  };
}
