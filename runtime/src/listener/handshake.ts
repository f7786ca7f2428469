import type { VerifiedCaller } from "../handling/index.js";
import { beginningOf, LogThrottle, loggableError } from "../observability.js";
import { type Clock, settlesWithin } from "../time.js";
import { isObject } from "../validation/index.js";
import { type Delivery, headerText } from "./delivery.js";
import type { Exchange, ResponseHeaders } from "./exchange.js";
import type { Capacity, Draining } from "./in-flight.js";
import type { HandshakeResult, ListenerMetrics } from "./metrics.js";
import type { SubscriptionEnd, WebhookSettings } from "./options.js";
import { answerEarly, Refusal } from "./responses.js";

/** Consent to any number of requests per minute: above its capacity the listener answers 503. */
const ANY_RATE = "*";

/**
 * Responds to the `OPTIONS` request by which Event Grid asks whether it may deliver.
 *
 * It needs no token: consent is given to an origin, in response headers.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md
 */
export class Handshake {
  readonly #origins: ReadonlySet<string>;
  readonly #throttle: LogThrottle<HandshakeResult>;

  /** @param now the time in milliseconds since 1970 */
  constructor(
    allowedOrigins: readonly string[],
    private readonly metrics: ListenerMetrics,
    private readonly isReady: () => boolean,
    now: () => number,
  ) {
    this.#origins = new Set(allowedOrigins.map((origin) => origin.toLowerCase()));
    this.#throttle = new LogThrottle(now);
  }

  answer(exchange: Exchange): void {
    const { headers, log } = exchange;
    const origin = headerText(headers["webhook-request-origin"])?.toLowerCase();
    const report = (result: HandshakeResult, level: "info" | "warn", message: string) => {
      this.metrics.handshake(result);
      const shown = origin && beginningOf(origin, 100);
      this.#throttle.write(result, (counted) => log[level]({ origin: shown, ...counted }, message));
    };
    if (!this.isReady()) {
      report("not-ready", "warn", "handshake refused: the listener is not ready");
      exchange.respond(503, allow);
    } else if (origin === undefined) {
      // A request without an origin is a health check or a person, not a handshake.
      exchange.respond(200, allow);
    } else if (!this.#origins.has(origin)) {
      report("not-consented", "warn", "handshake without consent: origin not allowed");
      exchange.respond(200, allow);
    } else {
      report("consented", "info", "handshake accepted");
      exchange.respond(200, {
        ...allow,
        "webhook-allowed-origin": origin,
        "webhook-allowed-rate": ANY_RATE,
      });
    }
  }
}

const allow: ResponseHeaders = { allow: "POST" };

/** Whether a delivery asks for consent in Event Grid's own schema, which has no `OPTIONS` request. */
export function isValidation({ exchange }: Delivery): boolean {
  const kind = headerText(exchange.headers["aeg-event-type"]);
  return kind !== undefined && kind.toLowerCase() === "subscriptionvalidation";
}

/**
 * The response that consents: it repeats the code of the validation event.
 *
 * @throws {Refusal} 400 without a code
 * @see https://learn.microsoft.com/azure/event-grid/end-point-validation-event-grid-events-schema
 */
export function validationResponse({ received }: Delivery): {
  readonly validationResponse: string;
} {
  const [first] = received;
  const data = first !== undefined && "event" in first ? first.event.data : undefined;
  const code = isObject(data) ? data.validationCode : undefined;
  if (typeof code !== "string" || code === "") {
    throw new Refusal(400, "the validation event has no validationCode");
  }
  return { validationResponse: code };
}

const VALIDATION = "subscriptionvalidation";

/** The notices by their `aeg-event-type` in lower case. */
const ends: ReadonlyMap<string, SubscriptionEnd["kind"]> = new Map([
  ["subscriptiondeletion", "SubscriptionDeletion"],
  ["unsubscribe", "Unsubscribe"],
]);

/** Handles the requests in which Event Grid reports a change of the subscription itself. */
export class LifecycleNotices {
  constructor(
    private readonly settings: WebhookSettings,
    private readonly capacity: Capacity,
    private readonly draining: Draining,
    private readonly timer: Clock,
  ) {}

  /**
   * Responds to a notice.
   *
   * @returns false for a request that is a delivery of events, which it leaves alone
   * @throws {Refusal} for a validation event of another schema, and when the listener is over capacity
   */
  take(caller: VerifiedCaller, exchange: Exchange): boolean {
    const { headers } = exchange;
    const kind = headerText(headers["aeg-event-type"]);
    if (kind === undefined || kind === "Notification") return false;
    const lowerCase = kind.toLowerCase();
    if (lowerCase === VALIDATION) {
      if (this.settings.schema === "eventgrid") return false;
      throw new Refusal(
        400,
        "the subscription delivers in Event Grid's own schema: set it to CloudEvents, or the listener's schema to eventgrid",
      );
    }
    const end = ends.get(lowerCase);
    if (end === undefined) return false;
    if (!this.capacity.tryTake(0)) throw new Refusal(503, "over capacity");
    const subscriptionName = headerText(headers["aeg-subscription-name"]);
    exchange.log.info({ kind: end, subscription: subscriptionName }, "subscription ended");
    void this.#report({ kind: end, subscriptionName, caller }, exchange);
    return true;
  }

  async #report(end: SubscriptionEnd, exchange: Exchange): Promise<void> {
    const { capacity, draining } = this;
    const { deadlineMs, onSubscriptionEnd } = this.settings;
    draining.enter();
    exchange.whenClosed(() => draining.leave());
    const reported = Promise.resolve(end).then(onSubscriptionEnd);
    // Like a handler, the callback keeps its place until it has ended.
    const release = () => capacity.release(0);
    reported.then(release, release);
    try {
      const isDone = await settlesWithin(deadlineMs, reported, this.timer);
      if (!draining.isServing) exchange.closeConnection();
      if (!isDone) exchange.log.error("onSubscriptionEnd timed out");
      answerEarly(exchange, isDone ? 200 : 503);
    } catch (error) {
      exchange.log.error({ err: loggableError(error) }, "onSubscriptionEnd failed");
      answerEarly(exchange, 503);
    }
  }
}
