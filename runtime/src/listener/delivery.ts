import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import type { Received } from "../events/envelope.js";
import { answer, endConnection, endUpload } from "./answers.js";
import type { Expiring } from "./deadlines.js";
import type { DeliveryFacts, VerifiedCaller } from "./event-context.js";
import { headerText } from "./headers.js";
import type { Outcome } from "./outcome.js";
import { whenOver } from "./request-end.js";

/** What a delivery has to do with the rest of the listener. */
export interface DeliveryHost {
  /** Whether answers end their connections, for which a server that closes would wait otherwise. */
  readonly isEnding: boolean;
  /** Called when the time is over and the answer not yet given. */
  expired(delivery: Delivery): void;
  /** Called once, when the answer is out. */
  answered(delivery: Delivery, status: number): void;
  /** Called once, when the answer is sent or nobody waits for it, and no handler runs any more. */
  ended(delivery: Delivery): void;
}

/**
 * One delivery of a verified caller, from its headers to the end of its last handler.
 *
 * One is made for every request: its fields are plain ones, which are cheaper to make than `#` ones.
 */
export class Delivery implements DeliveryFacts, Expiring {
  /** Its neighbours among the deliveries whose deadline is watched. */
  previous: Expiring | undefined = undefined;
  next: Expiring | undefined = undefined;
  readonly arrivedAt = performance.now();
  /**
   * The subscription's name as events are remembered under it. Event Grid was seen to write it in
   * capitals; nothing promises that it always will.
   */
  readonly subscriptionKey: string;
  received: readonly Received[] = [];
  /** What became of the events received, at their places; those still being handled are not there. */
  outcomes: Outcome[] = [];
  /** Whether the deadline has passed: the answer was 503, and nothing more should be begun. */
  isOver = false;
  isAnswered = false;
  private isHandling = false;
  private isClosed = false;
  private abort: AbortController | undefined = undefined;

  constructor(
    private readonly host: DeliveryHost,
    private readonly reply: FastifyReply,
    readonly caller: VerifiedCaller,
    readonly mode: "structured" | "binary",
    /** Bytes that the delivery holds of the listener's capacity. */
    public heldBytes: number,
  ) {
    this.subscriptionKey = this.subscriptionName?.toLowerCase() ?? "";
    // Comes after every answer, and when the caller goes away without one.
    whenOver(reply, () => this.close());
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
      if (this.isOver) this.abort.abort(timeout());
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

  /** Answers, unless that has been done. */
  answer(status: number): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    if (this.host.isEnding) endConnection(this.reply);
    // With its body still on the way, the connection cannot be used again.
    if (!this.request.raw.complete) endUpload(this.reply);
    answer(this.reply, status);
    this.host.answered(this, status);
  }

  /**
   * To be called before handlers run, which may outlive the answer when the deadline passes.
   *
   * @returns false when the caller has gone away: nothing should run, the events will come again
   */
  beginHandling(): boolean {
    this.isHandling = !this.isClosed;
    return this.isHandling;
  }

  /** To be called when the last handler has ended. */
  endHandling(): void {
    this.isHandling = false;
    if (this.isClosed) this.host.ended(this);
  }

  /** Answers with 503, whatever the handlers do, and aborts their signal. */
  expire(): void {
    this.isOver = true;
    this.abort?.abort(timeout());
    if (!this.isAnswered) this.host.expired(this);
    this.answer(503);
  }

  private close(): void {
    this.isClosed = true;
    if (!this.isHandling) this.host.ended(this);
  }
}

function timeout(): DOMException {
  return new DOMException("The delivery's time is over: it was answered with 503", "TimeoutError");
}
