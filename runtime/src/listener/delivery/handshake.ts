import { beginningOf, LogThrottle } from "../../observability.js";
import { isObject } from "../../validation/index.js";
import type { Exchange, ResponseHeaders } from "../exchange.js";
import type { HandshakeResult, ListenerMetrics } from "../metrics.js";
import { Refusal, stopUnreadBody } from "../responses.js";
import { type Delivery, headerText } from "./delivery.js";

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
    stopUnreadBody(exchange);
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

/** Reports whether a delivery asks for consent in Event Grid's own schema, which has no `OPTIONS` request. */
export function isValidation({ headers }: Exchange): boolean {
  return headerText(headers["aeg-event-type"])?.toLowerCase() === "subscriptionvalidation";
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
