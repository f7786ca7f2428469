import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { answer } from "./answers.js";
import type { DeliveryFacts, VerifiedCaller } from "./event-context.js";
import type { Outcome } from "./outcome.js";

/** What a delivery has to do with the rest of the listener. */
export interface DeliveryHost {
  readonly deadlineMs: number;
  /** Called once, when the answer is out. */
  answered(delivery: Delivery, status: number): void;
  /** Called once, when the answer is sent or nobody waits for it, and no handler runs any more. */
  ended(delivery: Delivery): void;
}

/** One delivery of a verified caller, from its headers to the end of its last handler. */
export class Delivery implements DeliveryFacts {
  readonly caller: VerifiedCaller;
  readonly mode: "structured" | "binary";
  readonly arrivedAt = performance.now();
  /** Bytes that the delivery holds of the listener's capacity. */
  heldBytes: number;
  batchSize = 0;
  outcomes: readonly Outcome[] = [];

  readonly #host: DeliveryHost;
  readonly #reply: FastifyReply;
  readonly #deadline: NodeJS.Timeout;
  #abort: AbortController | undefined;
  #isOver = false;
  #isAnswered = false;
  #isHandling = false;
  #isClosed = false;

  constructor(
    host: DeliveryHost,
    reply: FastifyReply,
    caller: VerifiedCaller,
    mode: "structured" | "binary",
    heldBytes: number,
  ) {
    this.#host = host;
    this.#reply = reply;
    this.caller = caller;
    this.mode = mode;
    this.heldBytes = heldBytes;
    this.#deadline = setTimeout(expire, host.deadlineMs, this);
    // Comes after every answer, and when the caller goes away without one.
    reply.raw.once("close", () => this.#closed());
  }

  get log(): FastifyBaseLogger {
    return this.#reply.log;
  }

  get request(): FastifyRequest {
    return this.#reply.request;
  }

  /** Whether the deadline has passed: the answer was 503, and nothing more should be begun. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#isOver) this.#abort.abort(timeout());
    }
    return this.#abort.signal;
  }

  get subscriptionName(): string | undefined {
    return headerText(this.request.raw.headers["aeg-subscription-name"]);
  }

  get deliveryCount(): number | undefined {
    const text = headerText(this.request.raw.headers["aeg-delivery-count"]);
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  }

  /** Answers, unless that has been done. */
  answer(status: number): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    clearTimeout(this.#deadline);
    answer(this.#reply, status);
    this.#host.answered(this, status);
  }

  /**
   * Runs the handlers, which outlive the answer when the deadline passes. Not run when the caller
   * has gone away: the events will come again.
   */
  async handle(run: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    this.#isHandling = true;
    await run();
    this.#isHandling = false;
    if (this.#isClosed) this.#host.ended(this);
  }

  /** @internal */
  expire(): void {
    this.#isOver = true;
    this.#abort?.abort(timeout());
    // With its body still on the way, the connection cannot be used again.
    if (!this.request.raw.complete) this.#reply.header("connection", "close");
    this.answer(503);
  }

  #closed(): void {
    this.#isClosed = true;
    if (this.#isHandling) return;
    clearTimeout(this.#deadline);
    this.#host.ended(this);
  }
}

function expire(delivery: Delivery): void {
  delivery.expire();
}

function timeout(): DOMException {
  return new DOMException("The delivery's time is over: it was answered with 503", "TimeoutError");
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
