import { isMalformed, type Outcome } from "../handling/index.js";
import { LogThrottle } from "../observability.js";
import { RequestFailure } from "../transport/index.js";
import { SECOND_MS } from "../units.js";
import type { ReceiverContext } from "./context.js";
import { isLost, MAX_TOKENS, type PulledEvent } from "./locks.js";
import { type QueueClient, waitAfter } from "./queue.js";

/** The request that settles an event. */
export type Disposition =
  | { readonly operation: "acknowledge" | "reject"; readonly delaySeconds?: undefined }
  | { readonly operation: "release"; readonly delaySeconds: number };

/** The disposition of each outcome. `"release"` comes after the delay of the attempt. */
const dispositions: Readonly<Record<Outcome, Disposition | "delayed">> = {
  handled: { operation: "acknowledge" },
  duplicate: { operation: "acknowledge" },
  unhandled: { operation: "acknowledge" },
  rejected: { operation: "reject" },
  malformed: { operation: "reject" },
  failed: "delayed",
  deferred: "delayed",
  // Another delivery is still handling it.
  "in-progress": { operation: "release", delaySeconds: 10 },
  "timed-out": { operation: "release", delaySeconds: 0 },
};

/**
 * Returns the disposition of an event by its outcome.
 *
 * @param attempt number of this delivery, from 1
 * @param retryDelaysSeconds by attempt; the last one repeats
 */
export function dispositionOf(
  outcome: Outcome,
  attempt: number,
  retryDelaysSeconds: readonly number[],
): Disposition {
  const disposition = dispositions[outcome];
  if (disposition !== "delayed") return disposition;
  const delaySeconds = retryDelaysSeconds[attempt - 1] ?? Number(retryDelaysSeconds.at(-1));
  return { operation: "release", delaySeconds };
}

/** Settles events: those of one kind of settlement together, while earlier ones are on their way. */
export class Settler {
  readonly #lanes = new Map<string, Lane>();
  /** Number of events that are not settled yet. */
  size = 0;
  isClosed = false;
  #whenIdle: (() => void) | undefined;

  /** @param onSettled called when events were settled */
  constructor(
    readonly context: ReceiverContext,
    readonly client: QueueClient,
    private readonly onSettled: () => void,
  ) {}

  add(event: PulledEvent, disposition: Disposition): void {
    event.state = "ended";
    const key = `${disposition.operation} ${disposition.delaySeconds}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(disposition, this);
      this.#lanes.set(key, lane);
    }
    this.size += 1;
    lane.add(event);
  }

  /** Resolves when every event is settled or given up. */
  idle(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#whenIdle = resolve;
    });
  }

  /** Gives up what is not settled. Cancel the requests under way then. */
  close(): void {
    this.isClosed = true;
    for (const lane of this.#lanes.values()) lane.giveUp();
  }

  /** Call it when events were settled or given up. */
  ended(count: number): void {
    this.size -= count;
    this.onSettled();
    if (this.size === 0) this.#whenIdle?.();
  }
}

/** Requests at a time for one kind of settlement. */
const MAX_REQUESTS = 4;
/** Longest wait after a failed request that the namespace has not asked for: locks and drains end soon. */
const MAX_SETTLE_DELAY_MS = SECOND_MS;

/** The events of one kind of settlement. */
class Lane {
  readonly #throttle: LogThrottle<string>;
  #waiting: PulledEvent[] = [];
  #requests = 0;
  #isScheduled = false;
  #failures = 0;
  /** Ends the wait after a failed request. */
  #endWait: (() => void) | undefined;

  constructor(
    private readonly disposition: Disposition,
    private readonly settler: Settler,
  ) {
    this.#throttle = new LogThrottle(() => settler.context.timer.now());
  }

  add(event: PulledEvent): void {
    this.#waiting.push(event);
    this.#schedule();
  }

  giveUp(): void {
    const events = this.#waiting.splice(0);
    this.#endWait?.();
    this.settler.ended(events.length);
  }

  /** Later in this turn of the event loop, so that events that end together are settled together. */
  #schedule(): void {
    if (this.#isScheduled || this.#endWait !== undefined) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      while (this.#waiting.length > 0 && this.#requests < MAX_REQUESTS && !this.#endWait) {
        void this.#send(this.#waiting.splice(0, MAX_TOKENS));
      }
    });
  }

  async #send(events: readonly PulledEvent[]): Promise<void> {
    const { operation, delaySeconds } = this.disposition;
    const { client, context } = this.settler;
    const tokens = events.map(({ lockToken }) => lockToken);
    this.#requests += 1;
    const failed = await context.tracing.settling(
      operation,
      events.map(({ received: [element] }) => (isMalformed(element) ? undefined : element.event)),
      () => client.operate(operation, tokens, delaySeconds),
      (result) => (result instanceof RequestFailure ? result.kind : [...result.values()][0]),
    );
    this.#requests -= 1;
    if (failed instanceof RequestFailure) {
      this.#retry(events, failed);
      return;
    }
    this.#failures = 0;
    const again: PulledEvent[] = [];
    let settled = 0;
    for (const event of events) {
      const code = failed.get(event.lockToken);
      if (code === undefined) settled += 1;
      else if (isLost(code)) this.#lost();
      else again.push(event);
    }
    context.metrics.settled(operation, settled);
    this.settler.ended(events.length - again.length);
    if (again.length > 0) {
      const codes = [...new Set(again.map(({ lockToken }) => failed.get(lockToken)))].join(", ");
      const failure = new RequestFailure(`the namespace could not ${operation}: ${codes}`, codes);
      this.#retry(again, failure);
    } else this.#schedule();
  }

  /** Tries again for as long as the locks last. */
  #retry(events: readonly PulledEvent[], failure: RequestFailure): void {
    const { context, isClosed } = this.settler;
    this.#waiting.unshift(...events);
    if (isClosed) {
      this.giveUp();
      return;
    }
    this.#failures += 1;
    this.#throttle.write(failure.kind, (counted) => {
      const line = { reason: failure.message, events: events.length, ...counted };
      context.log.warn(line, `events could not be settled (${this.disposition.operation})`);
    });
    if (this.#endWait !== undefined) return;
    const { retryAfterMs } = failure.details;
    const waitMs = waitAfter(this.#failures, context, retryAfterMs, MAX_SETTLE_DELAY_MS);
    const end = () => {
      cancel();
      this.#endWait = undefined;
      this.#giveUpExpired();
      this.#schedule();
    };
    const cancel = context.timer.schedule(waitMs, end, true);
    this.#endWait = end;
  }

  #giveUpExpired(): void {
    const now = this.settler.context.timer.now();
    const expired = this.#waiting.filter(({ lockExpiresAtMs }) => lockExpiresAtMs <= now);
    if (expired.length === 0) return;
    this.#waiting = this.#waiting.filter(({ lockExpiresAtMs }) => lockExpiresAtMs > now);
    for (const _ of expired) this.#lost();
    this.settler.ended(expired.length);
  }

  /** A settlement whose response was lost may have succeeded. Otherwise the event is delivered again. */
  #lost(): void {
    const { log, metrics } = this.settler.context;
    metrics.lostLock();
    this.#throttle.write("lost", (counted) => {
      const line = { operation: this.disposition.operation, ...counted };
      log.warn(
        line,
        "lock ran out before the settlement was confirmed: the event may be delivered again",
      );
    });
  }
}
