import { inspect } from "node:util";
import { CloudEventGridError } from "../errors.js";
import type { Received } from "../events/envelope/index.js";
import type { CloudEvent } from "../events/index.js";
import { eventNames, type Log } from "../observability.js";
import type { EventClaims } from "./deduplication.js";

/** The context of an event: its delivery, its caller and a logger. */
export interface EventContext {
  /**
   * Aborted when Event Grid will deliver the event again, whatever the handler does: the deadline of
   * a webhook's delivery has passed and the response was 503, or a receiver has lost the event's lock.
   * Pass it to every long-running call.
   */
  readonly signal: AbortSignal;
  /**
   * Number of this delivery of the event, from 1, by Event Grid's own count; `undefined` if it did not
   * say. The header `aeg-delivery-count` of a webhook's delivery is one less.
   */
  readonly attempt: number | undefined;
  /** Usually in upper case; `undefined` if Event Grid did not send it. */
  readonly subscriptionName: string | undefined;
  /**
   * What identifies the event within its `source`: its `id`, or what the option `deduplicationKey`
   * returned instead. `undefined` if it is never a duplicate.
   */
  readonly deduplicationKey: string | undefined;
  /** Position of the event in its delivery, from 0. */
  readonly batchIndex: number;
  /** Number of events in the delivery: 1 unless the subscription batches. */
  readonly batchSize: number;
  /**
   * The event's JSON exactly as it arrived, for what JavaScript changes: an integer beyond 2^53 loses
   * digits, and `1.10` becomes `1.1`. `undefined` in CloudEvents' binary mode.
   */
  readonly json: string | undefined;
  /** A logger that adds the event's id, type and source to every line. */
  readonly log: Log;
  /** The caller, as the verified token identifies it; `undefined` for an event that was pulled. */
  readonly caller: VerifiedCaller | undefined;
}

/**
 * Handles one event. Returning acknowledges it, throwing makes Event Grid retry it, and throwing
 * `RejectEvent` rejects it for good. `Added` are the values that {@link Middleware} adds.
 */
export type EventHandler<Event extends CloudEvent = CloudEvent, Added extends object = object> = {
  // Declared as a method, which TypeScript checks bivariantly: handlers of specific payloads can be
  // in one object with handlers of any event.
  handle(event: Event, context: EventContext & Added): unknown;
}["handle"];

/**
 * Thrown by a handler to reject an event for good: a listener answers 400, a receiver rejects the
 * event. Event Grid never delivers the event again, and dead-letters it if the subscription has a
 * dead-letter destination. Without one the event is dropped.
 *
 * In a batch of a webhook the other events are still handled. When nothing but rejected events is
 * left, Event Grid dead-letters the *whole* batch, including the events that were handled.
 *
 * @example
 * ```ts
 * if (!(await catalogue.has(event.data.sku))) throw new RejectEvent(`unknown article ${event.data.sku}`);
 * ```
 */
export class RejectEvent extends CloudEventGridError {
  readonly code = "ERR_EVENT_REJECTED";

  /** @param message the reason, for the log; it is not part of the response */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Where the members of a context come from. */
interface ContextSource {
  readonly delivery: EventDelivery;
  readonly event: CloudEvent;
  readonly received: CloudEvent;
  readonly keyOf: (event: CloudEvent, log: Log) => string | undefined;
  log?: Log;
}

/** JSON leaves out what it names: a delivery has the caller's token and the payload. */
const SOURCE = Symbol("source");

/** The context of one event. Its expensive members are created on first use. */
export class DeliveredEventContext implements EventContext {
  // Not a #private member, so that middleware and the inbox can derive from a context.
  private readonly [SOURCE]: ContextSource;

  constructor(
    source: ContextSource,
    readonly batchIndex: number,
  ) {
    this[SOURCE] = source;
  }

  get deduplicationKey(): string | undefined {
    const { delivery, received, keyOf } = this[SOURCE];
    return keyOf(received, delivery.log);
  }

  get signal(): AbortSignal {
    return this[SOURCE].delivery.signal;
  }

  get attempt(): number | undefined {
    return this[SOURCE].delivery.attempt;
  }

  get subscriptionName(): string | undefined {
    return this[SOURCE].delivery.subscriptionName;
  }

  get json(): string | undefined {
    return this[SOURCE].delivery.jsonOf(this.batchIndex);
  }

  get batchSize(): number {
    return this[SOURCE].delivery.received.length;
  }

  get caller(): VerifiedCaller | undefined {
    return this[SOURCE].delivery.caller;
  }

  get log(): Log {
    const source = this[SOURCE];
    source.log ??= source.delivery.log.child({ event: eventNames(source.event) });
    return source.log;
  }

  /** What `console.log` shows: no more than JSON, and what is cheap and no secret. */
  [inspect.custom](): object {
    const { attempt, subscriptionName, batchIndex, batchSize, caller } = this;
    const added = Object.fromEntries(Object.entries(this));
    return { attempt, subscriptionName, batchIndex, batchSize, caller, ...added };
  }
}

/** Who delivered an event, as its verified token says. */
export interface VerifiedCaller {
  /** Application ID of the caller: Event Grid's own, or one of the configured callers. */
  readonly applicationId: string;
  /** Object ID of the caller's service principal in the tenant. */
  readonly objectId: string | undefined;
  readonly tenantId: string;
  readonly roles: readonly string[];
}

/** Events that arrived together, as handling needs them. */
export interface EventDelivery {
  readonly received: readonly Received[];
  /** Outcomes by position in `received`; those of unfinished events are missing. */
  outcomes: Outcome[];
  /** Set if handled events are remembered. */
  claims: EventClaims | undefined;
  /** Number of this delivery, from 1; `undefined` if the sender did not say. */
  readonly attempt: number | undefined;
  readonly subscriptionName: string | undefined;
  /** The subscription's name in lower case: Event Grid's spelling of it varies. */
  readonly subscriptionKey: string;
  /** `undefined` for events that were pulled. */
  readonly caller: VerifiedCaller | undefined;
  readonly log: Log;
  /** The JSON of an event by its position, as it arrived. */
  jsonOf(index: number): string | undefined;
  /** Aborted at the deadline of a webhook's delivery, or when the lock of a pulled event is lost. */
  readonly signal: AbortSignal;
  /** Whether the deadline has passed: no further handler may start. */
  readonly isOverdue: boolean;
}

/** The outcome of one event of a delivery. */
export type Outcome =
  /** Its handler returned. */
  | "handled"
  /** It had been handled before. */
  | "duplicate"
  /** No handler is registered for its type, and it was acknowledged. */
  | "unhandled"
  /** Its handler threw, or something the handler needs was unavailable. */
  | "failed"
  /** The deadline of the delivery passed first. */
  | "timed-out"
  /** Another delivery of the same event is being handled. */
  | "in-progress"
  /** No handler is registered for its type, and Event Grid is asked to retry it. */
  | "deferred"
  /**
   * Its handler or its schema rejected it for good, or no handler is registered and such events are
   * rejected.
   */
  | "rejected"
  /** It is not a CloudEvent. */
  | "malformed";

/** The property of an event's origin that differs from the binding. */
export type Mismatch = "subscription" | "resource";
