import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import type { Received } from "../../events/envelope/index.js";
import type { VerifiedCaller } from "../authentication/index.js";
import type { EventClaims } from "../deduplication/index.js";
import type { Outcome } from "../outcome.js";
import type { Expiring } from "./deadlines.js";
import { type ContentMode, headerText, whenClosed } from "./request.js";
import { answer, endConnection, endUpload } from "./responses.js";

/** The callbacks of a delivery, which the webhook implements. */
export interface DeliveryHost {
  /** Whether responses close their connections, because a closing server would wait for them. */
  readonly isEnding: boolean;
  /** Called when the deadline passes before the response. */
  expired(delivery: Delivery): void;
  /** Called once, when the response is sent. */
  answered(delivery: Delivery, status: number): void;
  /** Called once, when the connection is done with the delivery and no handler runs any more. */
  ended(delivery: Delivery): void;
}

/**
 * One delivery of a verified caller, from its headers to the end of its last handler.
 *
 * One is created for every request: its private fields are not `#` fields, which cost more to create.
 */
export class Delivery implements Expiring {
  /** Its neighbours in the list of deliveries with a deadline. */
  previous: Expiring | undefined = undefined;
  next: Expiring | undefined = undefined;
  readonly arrivedAt = performance.now();
  /** The subscription's name in lower case: Event Grid's spelling of it varies. */
  readonly subscriptionKey: string;
  received: readonly Received[] = [];
  /** Outcomes by position in `received`; those of unfinished events are missing. */
  outcomes: Outcome[] = [];
  /** Set if handled events are remembered. */
  claims: EventClaims | undefined = undefined;
  /** Whether the deadline has passed: the response was 503, and no further handler may start. */
  isOver = false;
  isAnswered = false;
  /** Whether the response has been sent, or the caller has disconnected. */
  isClosed = false;
  /**
   * Set while the body is read. Not a closure: V8 would keep every delivery until the next full
   * garbage collection, which costs half as much again as handling it.
   */
  rejectBody: ((error: Error) => void) | undefined = undefined;
  private isProcessing = true;
  private abort: AbortController | undefined = undefined;

  constructor(
    private readonly host: DeliveryHost,
    private readonly reply: FastifyReply,
    readonly caller: VerifiedCaller,
    readonly mode: ContentMode,
    /** Bytes of the listener's capacity that it holds. */
    public heldBytes: number,
  ) {
    this.subscriptionKey = this.subscriptionName?.toLowerCase() ?? "";
    whenClosed(reply, () => this.close());
  }

  get log(): FastifyBaseLogger {
    return this.reply.log;
  }

  get request(): FastifyRequest {
    return this.reply.request;
  }

  get signal(): AbortSignal {
    if (this.abort === undefined) {
      this.abort = new AbortController();
      if (this.isOver) this.abort.abort(deadlinePassed());
    }
    return this.abort.signal;
  }

  get subscriptionName(): string | undefined {
    return headerText(this.request.raw.headers["aeg-subscription-name"]);
  }

  get deliveryCount(): number | undefined {
    const text = headerText(this.request.raw.headers["aeg-delivery-count"]);
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  }

  get batchSize(): number {
    return this.received.length;
  }

  /** Responds, unless that has been done. */
  answer(status: number): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    if (this.host.isEnding) endConnection(this.reply);
    // While its body is still arriving, the connection cannot be used again.
    if (!this.request.raw.complete) endUpload(this.reply);
    answer(this.reply, status);
    this.host.answered(this, status);
  }

  /** Responds with 503, whatever the handlers do, and aborts their signal. */
  expire(): void {
    this.isOver = true;
    this.abort?.abort(deadlinePassed());
    if (!this.isAnswered) this.host.expired(this);
    this.answer(503);
  }

  /** Call it when the last handler has ended, which may be after the response. */
  end(): void {
    this.isProcessing = false;
    if (this.isClosed) this.host.ended(this);
  }

  private close(): void {
    this.isClosed = true;
    this.rejectBody?.(new Error("the delivery ended before its body was complete"));
    if (!this.isProcessing) this.host.ended(this);
  }
}

function deadlinePassed(): DOMException {
  return new DOMException(
    "the delivery's deadline has passed; it was answered with 503",
    "TimeoutError",
  );
}
