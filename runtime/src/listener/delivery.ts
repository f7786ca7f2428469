import type { IncomingHttpHeaders } from "node:http";
import { AZURE_LIMITS, formatScope, parseScope, type Scope } from "../binding/index.js";
import type { Linked } from "../collections.js";
import {
  asCloudEvent,
  eventTexts,
  isEventGridEvent,
  parseStructured,
  type Received,
  readBinary,
  readEvent,
} from "../events/envelope/index.js";
import type { CloudEvent } from "../events/index.js";
import {
  type EventClaims,
  type EventDelivery,
  type HandlingMetrics,
  logProblems,
  type Mismatch,
  type Outcome,
  type VerifiedCaller,
} from "../handling/index.js";
import { beginningOf, eventNames, type Log, LogThrottle } from "../observability.js";
import type { Exchange } from "./exchange.js";
import type { Capacity } from "./in-flight.js";
import type { ListenerMetrics } from "./metrics.js";
import { answer, Refusal } from "./responses.js";

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
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) + 1 : undefined;
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
    this.abort.abort(
      new DOMException(
        "the delivery's deadline has passed; it was answered with 503",
        "TimeoutError",
      ),
    );
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

const structured =
  /^application\/cloudevents(?:-batch)?\+json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;
const cloudEvents = /^application\/cloudevents\b/i;

const json = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i;

/** The schema in which Event Grid delivers. Its own schema is accepted in addition to CloudEvents. */
export type DeliverySchema = "cloudevents" | "eventgrid";

/** Reads the content mode from the headers. Compressed bodies are not supported. */
export function contentMode(
  headers: IncomingHttpHeaders,
  schema: DeliverySchema = "cloudevents",
): ContentMode | undefined {
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return undefined;
  const type = headers["content-type"];
  // Exactly what Event Grid sends.
  if (type === "application/cloudevents+json; charset=utf-8") return "structured";
  if (type !== undefined && cloudEvents.test(type)) {
    return structured.test(type) ? "structured" : undefined;
  }
  if (headers["ce-specversion"] !== undefined) return "binary";
  return schema === "eventgrid" && type !== undefined && json.test(type) ? "structured" : undefined;
}

/**
 * Reads a body of at most `maxBytes`. Bytes beyond those that it announced take capacity as they
 * arrive.
 *
 * Rejects with a {@link Refusal} (413, 503) when the body is too large or there is no capacity for
 * it, with the server's own error, and when the delivery ends before its body is complete.
 */
export function readBody(
  delivery: Delivery,
  capacity: Capacity,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    let hasFailed = false;
    const fail = (error: Error) => {
      hasFailed = true;
      reject(error);
    };
    delivery.rejectBody = reject;
    delivery.exchange.readBody({
      chunk(data) {
        if (hasFailed || delivery.response !== "open") return;
        const chunk = asBytes(data);
        if (chunk === undefined) {
          fail(new TypeError("a hook of the app has replaced the request body"));
          return;
        }
        length += chunk.length;
        if (length > maxBytes) {
          fail(new Refusal(413, `the body is larger than ${maxBytes} bytes`));
          return;
        }
        if (length > delivery.heldBytes) {
          if (!capacity.tryGrow(length - delivery.heldBytes)) {
            fail(new Refusal(503, "over capacity while the body was read"));
            return;
          }
          delivery.heldBytes = length;
        }
        chunks.push(chunk);
      },
      end() {
        delivery.rejectBody = undefined;
        const [first] = chunks;
        resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length));
      },
      fail,
    });
  });
}

/** A chunk of the body. A hook of the app may have put a stream of strings in its place. */
function asBytes(chunk: unknown): Buffer | undefined {
  if (Buffer.isBuffer(chunk)) return chunk;
  if (chunk instanceof Uint8Array) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  return typeof chunk === "string" ? Buffer.from(chunk) : undefined;
}

const MAX_EVENTS = AZURE_LIMITS.eventsPerBatch.max;

/**
 * Reads the events of a delivery. Logs in one line which of them are not CloudEvents, and in another
 * which of them have flaws, and counts the latter.
 *
 * @throws InvalidBodyError when the body as a whole cannot be read
 * @throws {Refusal} 413 when there are more than Event Grid sends
 */
export function readEvents(
  delivery: Delivery,
  body: Buffer,
  schema: DeliverySchema,
  metrics: ListenerMetrics,
): readonly Received[] {
  const { headers, rawHeaders } = delivery.exchange;
  if (delivery.mode !== "structured") {
    return logProblems([readBinary(headers, rawHeaders, body)], delivery.log, metrics);
  }
  const elements = parseStructured(body);
  // Before they are examined, because a body may have hundreds of thousands.
  if (elements.length > MAX_EVENTS) {
    throw new Refusal(413, `the delivery has ${elements.length} events, more than ${MAX_EVENTS}`);
  }
  const events = elements.map((element) => {
    const isMapped = schema === "eventgrid" && isEventGridEvent(element);
    return readEvent(isMapped ? asCloudEvent(element) : element);
  });
  return logProblems(events, delivery.log, metrics);
}

/** Properties that it does not have are not compared. */
interface ExpectedBinding {
  readonly eventSubscriptionName?: string | undefined;
  readonly scope?: string | undefined;
}

/**
 * Compares events with the binding. The token says only that Event Grid delivers for the binding's
 * application; any event subscription with that application could be behind it.
 */
export class ExpectedSource {
  readonly #name: string | undefined;
  readonly #resources: readonly string[] | undefined;
  readonly #log: LogThrottle<Mismatch>;
  /** The last source that matched: most events have the same one. */
  #matching: string | undefined;

  /**
   * @param reject whether events from elsewhere are rejected; they are logged and counted in any case
   * @param now the time in milliseconds since 1970
   */
  constructor(
    { eventSubscriptionName, scope }: ExpectedBinding,
    private readonly reject: boolean,
    private readonly metrics: HandlingMetrics,
    now: () => number,
  ) {
    this.#name = eventSubscriptionName?.toLowerCase();
    this.#resources = scope === undefined ? undefined : sourcesOf(parseScope(scope));
    this.#log = new LogThrottle(now);
  }

  /** Logs and counts an event from elsewhere. Returns whether to reject it. */
  rejects(event: CloudEvent, delivery: EventDelivery): boolean {
    const mismatch = this.#mismatchOf(event, delivery);
    if (mismatch === undefined) return false;
    this.metrics.unexpectedSource(mismatch);
    this.#log.write(mismatch, (counted) => {
      const difference =
        mismatch === "resource"
          ? { expected: this.#resources?.[0] }
          : { expected: this.#name, received: beginningOf(delivery.subscriptionKey) };
      const line = { event: eventNames(event), ...difference, ...counted };
      delivery.log.warn(line, `event of another ${wording[mismatch]} than the binding's`);
    });
    return this.reject;
  }

  #mismatchOf({ source }: CloudEvent, { subscriptionKey }: EventDelivery): Mismatch | undefined {
    // Without the header there is nothing to compare.
    if (this.#name !== undefined && subscriptionKey !== "" && subscriptionKey !== this.#name) {
      return "subscription";
    }
    if (this.#resources === undefined || source === this.#matching) return undefined;
    const [scope, ...others] = this.#resources;
    const resource = source.toLowerCase();
    const isExpected = `${resource}/`.startsWith(`${scope}/`) || others.includes(resource);
    if (!isExpected) return "resource";
    this.#matching = source;
    return undefined;
  }
}

const wording = { subscription: "event subscription", resource: "resource" } as const;

/**
 * The sources of a scope's events, in lower case because Azure's services spell resource IDs in any
 * case: the scope itself, or a resource in it, and then other IDs. `undefined` for resources of
 * Event Grid itself, such as topics, whose publishers choose the source.
 */
function sourcesOf(scope: Scope): readonly string[] | undefined {
  if (scope.kind === "topic") return undefined;
  if (
    scope.kind === "resource" &&
    /^microsoft\.eventgrid$/i.test(scope.resourceProviderNamespace)
  ) {
    return undefined;
  }
  const sources = [formatScope(scope).toLowerCase()];
  // Resource Manager's own events may name only the subscription.
  if (scope.kind === "resourceGroup") {
    sources.push(`/subscriptions/${scope.subscriptionId.toLowerCase()}`);
  }
  return sources;
}
