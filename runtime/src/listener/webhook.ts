import { setImmediate } from "node:timers/promises";
import { InvalidBodyError } from "../events/envelope/index.js";
import {
  DeliveryLog,
  handleEvents,
  timeOutUnfinished,
  type VerifiedCaller,
} from "../handling/index.js";
import { type Log, LogThrottle, loggableError } from "../observability.js";
import { settlesWithin } from "../time.js";
import { KIB } from "../units.js";
import { Denial, type DenialReason } from "./authentication/index.js";
import type { CheckedWebhook } from "./check.js";
import {
  announcedBytes,
  contentMode,
  Delivery,
  isValidation,
  readBody,
  readEvents,
  takeNotice,
  validationResponse,
} from "./delivery/index.js";
import {
  systemDependencies,
  type WebhookDependencies,
  webhookDependencies,
} from "./dependencies.js";
import { BodyTakenError, type Exchange } from "./exchange.js";
import { Deadlines } from "./in-flight.js";
import { answer, answerEarly, Refusal, statusOf, statusOfError } from "./responses.js";

/**
 * Bodies above this size take milliseconds to parse: timers and other requests have their turn before
 * the events are handled. Those of smaller ones are handled at once: if several deliveries arrived
 * together, waiting would keep the events of all of them in memory, which costs a quarter more.
 */
const LONG_READ_BYTES = 512 * KIB;
/** How long a start waits for the signing keys; Fastify fails a plugin after 10 s. */
const START_TIMEOUT_MS = 5_000;
/** How long a drain waits for deliveries in flight beyond their deadline. */
const DRAIN_GRACE_MS = 5_000;

/** One webhook, from its start to its end. */
export class Webhook {
  readonly path: string;
  /** Set while it waits for its first signing keys. */
  starting: Promise<void> | undefined;
  #hasStarted = false;
  readonly #dependencies: WebhookDependencies;
  readonly #denials: LogThrottle<DenialReason>;
  readonly #deadlines: Deadlines<Delivery>;
  readonly #deliveries: DeliveryLog;

  constructor(
    checked: CheckedWebhook,
    private readonly log: Log,
    system = systemDependencies,
  ) {
    this.#dependencies = webhookDependencies(checked, log, system);
    const { binding, settings, timer } = this.#dependencies;
    this.#deadlines = new Deadlines(settings.deadlineMs, timer, (delivery) =>
      this.#expire(delivery),
    );
    this.#denials = new LogThrottle(() => system.clock.now());
    this.#deliveries = new DeliveryLog(log, timer);
    this.path = binding.path;
    const { acceptWithoutRole } = settings.authentication;
    if (acceptWithoutRole !== undefined) {
      const { reason } = acceptWithoutRole;
      log.warn({ reason }, "tokens without Event Grid's role are accepted");
    }
  }

  /** Takes a request at the webhook's path to its response. Never rejects. */
  serve(exchange: Exchange): Promise<void> | void {
    if (exchange.method === "POST") return this.receive(exchange);
    if (exchange.method === "OPTIONS") return this.handshake(exchange);
    answerEarly(exchange, 405);
  }

  /**
   * Takes a delivery from its headers to its response: authenticate, admit, read, handle, respond.
   * Never rejects.
   */
  async receive(exchange: Exchange): Promise<void> {
    const { authenticator, capacity, draining, events, metrics, settings } = this.#dependencies;
    const { limits, schema } = settings;
    let delivery: Delivery | undefined;
    try {
      const judged = authenticator.authenticate(exchange);
      const verdict = judged instanceof Promise ? await this.#inFlight(judged, exchange) : judged;
      if (exchange.isGone) return;
      if (!draining.isServing) exchange.closeConnection();
      if (draining.isRefusing) return answer(exchange, 503);
      if (verdict instanceof Denial) return this.#deny(verdict, exchange);
      exchange.verified?.();
      if (takeNotice(exchange, schema)) return;

      delivery = this.#admit(verdict, exchange);
      draining.enter();
      metrics.inFlight(1);
      this.#deadlines.add(delivery);

      const body = await readBody(delivery, capacity, limits.requestBytes);
      if (delivery.response !== "open") return;
      delivery.body = body;
      const received = readEvents(delivery, body, schema, metrics);
      delivery.received = received;
      this.#deliveries.warnOfRounded(received, delivery, delivery.log);
      if (schema === "eventgrid" && isValidation(exchange)) return this.#consent(delivery);

      if (body.length > LONG_READ_BYTES) await setImmediate();
      await handleEvents(delivery, events, handlersOfOne(limits.concurrentHandlers));

      this.#answer(delivery, statusOf(delivery.outcomes));
    } catch (error) {
      if (delivery === undefined) refuse(error, exchange);
      else this.#fail(error, delivery);
    } finally {
      delivery?.end();
    }
  }

  /** Waits for signing keys. A drain that begins meanwhile waits for the response. */
  #inFlight<T>(keys: Promise<T>, exchange: Exchange): Promise<T> {
    const { draining } = this.#dependencies;
    draining.enter();
    exchange.whenClosed(() => draining.leave());
    return keys;
  }

  /**
   * Accepts a delivery by its headers, before its body is read.
   *
   * @throws {Refusal} 415, 413 or 503
   */
  #admit(caller: VerifiedCaller, exchange: Exchange): Delivery {
    const { capacity, settings, timer } = this.#dependencies;
    const mode = contentMode(exchange.headers, settings.schema);
    if (mode === undefined) throw new Refusal(415, "media type or encoding not supported");
    const announced = announcedBytes(exchange, settings.limits.requestBytes);
    if (!capacity.tryTake(announced)) throw new Refusal(503, "over capacity");
    return new Delivery(exchange, caller, mode, announced, timer.now(), this.#end);
  }

  #deny({ status, reason, detail }: Denial, exchange: Exchange): void {
    this.#dependencies.metrics.denial(reason);
    this.#denials.write(reason, (counted) => {
      const line = { reason, detail, status, ...counted };
      if (reason === "role") exchange.log.error(line, "request denied: Event Grid lacks its role");
      else exchange.log.warn(line, "request denied");
    });
    answerEarly(exchange, status);
  }

  #fail(error: unknown, delivery: Delivery): void {
    if (delivery.response !== "open") return;
    logFailure(error, delivery.log);
    this.#answer(delivery, statusOfError(error));
  }

  #consent(delivery: Delivery): void {
    const content = validationResponse(delivery);
    this.#dependencies.metrics.handshake("consented");
    delivery.log.info({ subscription: delivery.subscriptionName }, "handshake accepted");
    this.#answer(delivery, 200, content);
  }

  /**
   * Responds, unless the deadline has passed or the caller has disconnected.
   *
   * @param content JSON to respond with a success
   */
  #answer(delivery: Delivery, status: number, content?: object): void {
    if (delivery.response !== "open") return;
    const { draining, metrics, timer } = this.#dependencies;
    this.#deadlines.remove(delivery);
    delivery.answer(status, !draining.isServing, content);
    metrics.delivery(status);
    const { outcomes, log } = delivery;
    const ms = timer.now() - delivery.arrivedAtMs;
    const fields = () => ({
      status,
      subscription: delivery.subscriptionName,
      attempt: delivery.attempt,
      events: delivery.received.length,
    });
    if (status < 300) this.#deliveries.ended(outcomes, ms, fields, log);
    else this.#deliveries.failed(outcomes, ms, fields, log);
  }

  #expire(delivery: Delivery): void {
    delivery.expire();
    const unfinished = timeOutUnfinished(delivery, this.#dependencies.events);
    delivery.log.warn(unfinished, "deadline passed");
    this.#answer(delivery, 503);
  }

  /** Releases what a delivery holds, when its response and its last handler have ended. */
  readonly #end = (delivery: Delivery): void => {
    const { capacity, draining, metrics } = this.#dependencies;
    if (delivery.response === "disconnected") {
      delivery.log.warn("caller disconnected before the response");
    }
    this.#deadlines.remove(delivery);
    capacity.release(delivery.heldBytes);
    draining.leave();
    metrics.inFlight(-1);
  };

  /** Answers the handshake, after the signing keys have been fetched if they are missing. */
  async handshake(exchange: Exchange): Promise<void> {
    const { draining, handshake, keys } = this.#dependencies;
    if (!keys.isUsable && !draining.isRefusing) await this.#inFlight(keys.renew(), exchange);
    if (!draining.isServing) exchange.closeConnection();
    handshake.answer(exchange);
  }

  /**
   * Reports whether deliveries are accepted: there are signing keys, and no drain has begun. Fetches keys that are
   * missing for the next call.
   */
  isReady(): boolean {
    const { draining, keys } = this.#dependencies;
    if (!draining.isServing) return false;
    void keys.renew();
    return keys.isUsable;
  }

  /** Reports whether handlers that never end hold all handler slots, or all places for deliveries. */
  isStuck(): boolean {
    const { events, capacity, settings } = this.#dependencies;
    const durationMs = 2 * settings.deadlineMs;
    return events.slots.isStuckFor(durationMs) || capacity.isStuckFor(durationMs);
  }

  /** Fetches the signing keys, and waits for them for a while. Resolves even if that fails. */
  start(): Promise<void> {
    const { events, keys, timer } = this.#dependencies;
    this.#hasStarted = true;
    events.deduplication?.store.open?.(this.log);
    this.starting = settlesWithin(START_TIMEOUT_MS, keys.prefetch(), timer).then(() => {
      this.starting = undefined;
    });
    return this.starting;
  }

  /**
   * Turns readiness off, accepts deliveries for the lag, then finishes those in flight.
   *
   * @param isRefused whether the server refuses new requests itself, so that a lag would only delay the
   * end
   */
  drain(isRefused = false): Promise<void> {
    const { draining, settings } = this.#dependencies;
    // Nobody has to notice that a server which has never listened stops.
    const lagMs = this.#hasStarted && !isRefused ? this.drainLagMs : 0;
    return draining.drain(lagMs, settings.deadlineMs + DRAIN_GRACE_MS);
  }

  get drainLagMs(): number {
    return this.#dependencies.settings.drainLagMs;
  }

  /** Ends a drain without waiting for deliveries in flight, which Event Grid retries. */
  abortDrain(): void {
    this.#dependencies.draining.abort();
  }

  get maxDrainMs(): number {
    return this.drainLagMs + this.#dependencies.settings.deadlineMs + DRAIN_GRACE_MS;
  }

  /** Stops fetching keys, stores outcomes that could not be stored yet, and closes connections. */
  async stop(): Promise<void> {
    const { documents, events, keys } = this.#dependencies;
    this.#deliveries.close();
    keys.stop();
    await documents.close();
    await events.deduplication?.close();
  }
}

/** Refuses a verified caller's request before its body was read. */
function refuse(error: unknown, exchange: Exchange): void {
  const status = statusOfError(error);
  logFailure(error, exchange.log);
  answerEarly(exchange, status);
}

/** Responds to an error outside of any delivery, such as one thrown by a hook of the app. */
export function answerError(error: unknown, exchange: Exchange): void {
  const status = statusOfError(error);
  if (status === 500) exchange.log.error({ err: loggableError(error) }, "unexpected failure");
  answer(exchange, status);
}

function logFailure(error: unknown, log: Log): void {
  if (error instanceof Refusal) {
    log.warn({ status: error.status, reason: error.message }, "delivery refused");
  } else if (error instanceof BodyTakenError) {
    log.error({ reason: error.message }, "delivery refused: its body was read before the webhook");
  } else if (error instanceof InvalidBodyError) {
    log.warn({ problems: [error.message] }, "not a CloudEvent");
  } else {
    log.error({ err: loggableError(error) }, "unexpected failure");
  }
}

/** How many handlers one delivery may run at a time: a large batch leaves room for the others. */
function handlersOfOne(concurrentHandlers: number): number {
  return Math.max(4, Math.ceil(concurrentHandlers / 4));
}
