import type { FastifyBaseLogger } from "fastify";
import type { CloudEvent } from "../events/index.js";

/** Who delivered, as its verified token says. */
export interface VerifiedCaller {
  /** Application ID of the caller: Event Grid's own, or one of the configured callers. */
  readonly applicationId: string;
  /** Object ID of the caller's service principal in the tenant. */
  readonly objectId: string | undefined;
  readonly tenantId: string;
  readonly roles: readonly string[];
}

/** What a handler is told about the delivery of its event. */
export interface EventContext {
  /**
   * Aborted when the delivery's time is over: the answer was 503, and the event will come again.
   * Hand it to whatever takes long.
   */
  readonly signal: AbortSignal;
  /** How often Event Grid tried before, by its own count, from 0; `undefined` when it did not say. */
  readonly deliveryCount: number | undefined;
  /** Event Grid writes it in capitals; `undefined` when it did not say. */
  readonly subscriptionName: string | undefined;
  /** Position of the event in its delivery, from 0. */
  readonly batchIndex: number;
  /** How many events came in the same delivery: 1 unless the subscription batches. */
  readonly batchSize: number;
  /** A logger that names the event on every line. */
  readonly log: FastifyBaseLogger;
  /** Who delivered, as the verified token says. */
  readonly caller: VerifiedCaller;
}

/**
 * Takes one event. Returning acknowledges it; throwing lets it come again; throwing
 * `RejectEvent` refuses it for good.
 */
export type EventHandler<Event extends CloudEvent = CloudEvent> = {
  // A method's type, so that handlers of several payloads fit where handlers of any are taken:
  // which event reaches which of them is decided by the key they stand under.
  handle(event: Event, context: EventContext): unknown;
}["handle"];

/** What all events of one delivery have in common. */
export interface DeliveryFacts {
  readonly signal: AbortSignal;
  readonly deliveryCount: number | undefined;
  readonly subscriptionName: string | undefined;
  readonly batchSize: number;
  readonly log: FastifyBaseLogger;
  readonly caller: VerifiedCaller;
}

/** The context of one event; what is dear to make is made when it is asked for. */
export class DeliveredEventContext implements EventContext {
  private logger: FastifyBaseLogger | undefined = undefined;

  constructor(
    private readonly delivery: DeliveryFacts,
    private readonly event: CloudEvent,
    readonly batchIndex: number,
  ) {}

  get signal(): AbortSignal {
    return this.delivery.signal;
  }

  get deliveryCount(): number | undefined {
    return this.delivery.deliveryCount;
  }

  get subscriptionName(): string | undefined {
    return this.delivery.subscriptionName;
  }

  get batchSize(): number {
    return this.delivery.batchSize;
  }

  get caller(): VerifiedCaller {
    return this.delivery.caller;
  }

  get log(): FastifyBaseLogger {
    const { id, type, source } = this.event;
    this.logger ??= this.delivery.log.child({ event: { id, type, source } });
    return this.logger;
  }
}
