import type { Linked } from "../../collections.js";
import { eventTexts, type Received } from "../../events/envelope/index.js";
import type { EventClaims, EventDelivery, Outcome, VerifiedCaller } from "../../handling/index.js";
import { wholeNumberIn } from "../../numbers.js";
import type { Log } from "../../observability.js";
import type { Exchange } from "../exchange.js";
import { answer } from "../responses.js";

/**
 * One delivery of a verified caller, from its headers to the end of its last handler.
 *
 * ```
 * response:   open ──► answered ──► closed
 *              └─────► disconnected
 *
 * handlers:   running ──► overdue ──► done
 *                └───────────────────►
 * ```
 *
 * It ends when both have come to their end, in either order.
 *
 * One is created for every request: its private fields are not `#` fields, which cost more to create.
 */
export class Delivery implements EventDelivery, Linked<Delivery> {
  previous: Delivery | undefined = undefined;
  next: Delivery | undefined = undefined;
  /**
   * Whether the status is decided and sent to the caller. The response is closed when it has left
   * this machine or the caller has disconnected.
   */
  response: "open" | "answered" | "closed" | "disconnected" = "open";
  /** Overdue handlers go on after the deadline, but no further one may start. */
  handlers: "running" | "overdue" | "done" = "running";
  readonly subscriptionKey: string;
  received: readonly Received[] = [];
  outcomes: Outcome[] = [];
  /** Kept for {@link jsonOf}; the listener's capacity counts it until the delivery ends. */
  body: Buffer | undefined = undefined;
  private texts: readonly string[] | undefined = undefined;
  claims: EventClaims | undefined = undefined;
  /**
   * Set while the body is read. Not a closure: V8 would keep every delivery until the next full
   * garbage collection, which costs half as much again as handling it.
   */
  rejectBody: ((error: Error) => void) | undefined = undefined;
  private abort: AbortController | undefined = undefined;

  constructor(
    readonly exchange: Exchange,
    readonly caller: VerifiedCaller,
    readonly mode: ContentMode,
    /** Bytes of the listener's capacity that it holds. */
    public heldBytes: number,
    /** By the listener's timer. */
    readonly arrivedAtMs: number,
    private readonly onEnd: (delivery: Delivery) => void,
  ) {
    this.subscriptionKey = this.subscriptionName?.toLowerCase() ?? "";
    exchange.whenClosed(() => this.close());
  }

  jsonOf(index: number): string | undefined {
    if (this.mode !== "structured" || this.body === undefined) return undefined;
    this.texts ??= eventTexts(this.body.toString("utf8"));
    return this.texts[index];
  }

  get log(): Log {
    return this.exchange.log;
  }

  get isOverdue(): boolean {
    return this.handlers === "overdue";
  }

  get signal(): AbortSignal {
    this.abort ??= new AbortController();
    return this.abort.signal;
  }

  get subscriptionName(): string | undefined {
    return headerText(this.exchange.headers["aeg-subscription-name"]);
  }

  get attempt(): number | undefined {
    // Event Grid counts the attempts before this one.
    const text = headerText(this.exchange.headers["aeg-delivery-count"]);
    const before = wholeNumberIn(text);
    return before === undefined ? undefined : before + 1;
  }

  /**
   * @param closesConnection whether the connection must not be used again
   * @param content JSON to respond with a success
   */
  answer(status: number, closesConnection: boolean, content?: object): void {
    this.response = "answered";
    if (closesConnection) this.exchange.closeConnection();
    // While its body is still arriving, the connection cannot be used again.
    if (!this.exchange.isComplete) this.exchange.stopBody();
    answer(this.exchange, status, content);
  }

  /** Call it when the deadline has passed: aborts the handlers' signal. */
  expire(): void {
    this.handlers = "overdue";
    this.abort ??= new AbortController();
    const reason = "the delivery's deadline has passed; it was answered with 503";
    this.abort.abort(new DOMException(reason, "TimeoutError"));
  }

  /** Call it when the last handler has ended, which may be after the response. */
  end(): void {
    this.handlers = "done";
    if (this.response === "closed" || this.response === "disconnected") this.onEnd(this);
  }

  private close(): void {
    this.response = this.response === "open" ? "disconnected" : "closed";
    this.rejectBody?.(new Error("the delivery ended before its body was complete"));
    if (this.handlers === "done") this.onEnd(this);
  }
}

/** The value of a header that may come once; `undefined` when it is missing or repeated. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** CloudEvents content mode of a request; `undefined` for an unsupported media type or encoding. */
export type ContentMode = "structured" | "binary";
