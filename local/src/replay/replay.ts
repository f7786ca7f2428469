import * as v from "valibot";
import { flag, LocalCloudError, numberWhere, text } from "../base/index.js";
import { type AcceptedEvent, type EventGrid, RESPONSE_TIMEOUT_MS } from "../eventgrid/index.js";
import type { RecordedDelivery, Records, SkippedRecord } from "./record.js";
import { Targets } from "./replay-targets.js";
import { Outcomes, type ReplayedEvent } from "./result.js";

/** The options of a replay. */
export interface ReplayOptions {
  /**
   * How many times as fast as recorded, on the cloud's clock. `"max"` leaves no time between events:
   * each follows as soon as the one before is answered.
   * @default 1
   */
  readonly speed?: number | "max" | undefined;
  /**
   * Name or resource ID of the topic or domain that accepts the events, or `NAMESPACE/TOPIC`.
   * @default the topic that the record or the event's source names; for an event of an Azure service,
   * its source, as for `emit`; otherwise the only topic
   */
  readonly topic?: string | undefined;
  /**
   * Name or resource ID of the only event subscription to deliver to, whether or not its filter
   * matches.
   * @default all whose filter matches
   */
  readonly subscription?: string | undefined;
  /**
   * Whether to deliver an event again where the recording has a redelivery of it.
   * @default true
   */
  readonly redeliveries?: boolean | undefined;
  /**
   * Whether to wait until every event is delivered, dead-lettered or dropped, retries included, which
   * can take a day. Otherwise the result has the answers to the latest attempts.
   * @default true on a stepped clock, which moves from one retry to the next, otherwise false
   */
  readonly drain?: boolean | undefined;
  /** Ends the replay: the promise rejects. Events that were accepted are still delivered. */
  readonly signal?: AbortSignal | undefined;
}

/** Schemas of the options that a program elsewhere can set. */
export const replayOptionFields = {
  speed: v.optional(
    v.lazy((value) =>
      value === "max"
        ? v.literal("max")
        : numberWhere((speed) => speed > 0, 'a number above 0, or "max"'),
    ),
  ),
  topic: v.optional(text),
  subscription: v.optional(text),
  redeliveries: v.optional(flag),
  drain: v.optional(flag),
};

/** The outcomes of a recording's events. */
export interface ReplayResult {
  /** In the order of the recording. A redelivery is an attempt of its event. */
  readonly events: readonly ReplayedEvent[];
  /** Records that could not be read, and events that their topic cannot accept. */
  readonly skipped: readonly SkippedRecord[];
}

export interface ReplayCloud {
  readonly eventGrid: EventGrid;
  readonly subscriptionId: string;
  readonly isStepped: boolean;
  /** Real milliseconds for which a stepped clock, on which no delivery times out, waits for answers. */
  readonly stepTimeoutMs: number;
}

/**
 * Accepts the events of a recording again, in their order and with their distances in time.
 *
 * @param onProgress called with the number of records that were replayed
 */
export async function replay(
  cloud: ReplayCloud,
  { deliveries, skipped }: Records,
  options: ReplayOptions,
  onProgress: (replayed: number) => void = () => {},
): Promise<ReplayResult> {
  const { eventGrid, isStepped } = cloud;
  const { drain = isStepped, redeliveries = true, signal } = options;
  const targets = new Targets(options, eventGrid, cloud.subscriptionId);
  // Before anything is replayed, so that a recording without a target has no effect.
  const planned = deliveries.map((delivery) => ({ delivery, target: targets.of(delivery) }));
  const pace = new Pace(cloud, options);
  const refused: SkippedRecord[] = [];
  const outcomes = new Outcomes(eventGrid);
  const accepted = new Map<string, AcceptedEvent>();
  const replayOne = ({ delivery, target }: (typeof planned)[number]) => {
    const { source, id, deliveryCount, subscription, place } = delivery;
    const key = `${source}\n${id}`;
    const earlier = accepted.get(key);
    if (!earlier || !isRedelivery(delivery)) {
      const event = eventGrid.redelivery.acceptRecorded(delivery, target);
      accepted.set(key, event);
      outcomes.add(event, place);
    } else if (redeliveries) {
      eventGrid.redelivery.redeliver(earlier, deliveryCount, subscription);
    }
  };
  try {
    for (const [index, plan] of planned.entries()) {
      await pace.before(plan.delivery);
      try {
        replayOne(plan);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push({ place: plan.delivery.place, problem: error.message });
      }
      onProgress(index + 1);
    }
    await unlessAborted(drain ? eventGrid.drain() : answers(cloud), signal);
    return { events: outcomes.list(), skipped: [...skipped, ...refused] };
  } finally {
    outcomes.end();
  }
}

/** Whether the topic cannot accept this event. */
function isRefusal(error: unknown): error is LocalCloudError {
  return error instanceof LocalCloudError && error.code === "ERR_EVENT";
}

/** A record of the dashboard names the subscription that got an event once more. */
function isRedelivery({ deliveryCount, subscription }: RecordedDelivery): boolean {
  return deliveryCount > 0 || subscription !== undefined;
}

/** Keeps the distances in time between the records. */
class Pace {
  #start: { readonly at: number; readonly recordedAt: number } | undefined;

  constructor(
    private readonly cloud: ReplayCloud,
    private readonly options: ReplayOptions,
  ) {}

  /** Resolves when the record is due. Records of the same millisecond are due together. */
  async before({ at }: RecordedDelivery): Promise<void> {
    const { eventGrid } = this.cloud;
    const { speed = 1, signal } = this.options;
    signal?.throwIfAborted();
    if (speed === "max" || at === undefined) {
      await unlessAborted(answers(this.cloud), signal);
      return;
    }
    const now = eventGrid.clock.now();
    this.#start ??= { at: now, recordedAt: at };
    const dueAt = this.#start.at + (at - this.#start.recordedAt) / speed;
    if (dueAt > now) await this.#wait(dueAt - now);
  }

  async #wait(milliseconds: number): Promise<void> {
    const { isStepped, eventGrid } = this.cloud;
    const { clock } = eventGrid;
    if (isStepped) return clock.advance({ milliseconds });
    const { signal } = this.options;
    let cancel = () => {};
    const due = new Promise<void>((resolve) => {
      cancel = clock.schedule(milliseconds, resolve);
    });
    await unlessAborted(due, signal).finally(cancel);
  }
}

/** Resolves when all deliveries are answered, those of events that nobody replays included. */
function answers({ eventGrid, isStepped, stepTimeoutMs }: ReplayCloud): Promise<void> {
  return eventGrid.settled(isStepped ? stepTimeoutMs : RESPONSE_TIMEOUT_MS);
}

async function unlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return wait;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  await Promise.race([wait, aborted]).finally(() => signal.removeEventListener("abort", stop));
}
