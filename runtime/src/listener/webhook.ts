import type { IncomingMessage } from "node:http";
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { InvalidEnvelopeError } from "../events/envelope-problems.js";
import { type Awaitable, after, caught } from "../promise.js";
import { Admission, type OnVerified } from "./admission.js";
import { answer, Refusal } from "./answers.js";
import { processBatch } from "./batch.js";
import { readBody } from "./body.js";
import { readEvents } from "./content.js";
import type { Delivery, DeliveryHost } from "./delivery.js";
import { expiryOf } from "./expiry.js";
import { logMalformed } from "./malformed-log.js";
import { type Outcome, statusOf } from "./outcome.js";
import { type WebhookParts, webhookParts } from "./parts.js";
import { isDoneWithin } from "./patience.js";
import { problemsOf } from "./received.js";
import type { WebhookOptions } from "./settings.js";
import { readableError } from "./thrown.js";

/** How long a start waits for the signing keys; Fastify gives up on a plugin after 10 s. */
const START_PATIENCE_MS = 5_000;
/** How long the deliveries in flight are waited for beyond their deadline. */
const GRACE_MS = 5_000;

/** One webhook, from its start to its end. */
export class Webhook implements DeliveryHost {
  readonly path: string;
  readonly port: number;
  readonly #parts: WebhookParts;
  readonly #admission: Admission;
  readonly #drainLagMs: number;

  /**
   * @throws {BindingConfigurationError} when the binding has no complete input half
   * @throws {ListenerConfigurationError} when handlers or settings cannot work
   */
  constructor(options: WebhookOptions, log: FastifyBaseLogger, onVerified?: OnVerified) {
    this.#parts = webhookParts(options, log);
    this.#admission = new Admission(this.#parts, this, options.onSubscriptionEnd, onVerified);
    this.#drainLagMs = options.drainLagMs ?? 0;
    this.path = this.#parts.binding.path;
    this.port = this.#parts.binding.port;
    const reason = options.authentication?.acceptWithoutRole?.reason;
    if (reason !== undefined) log.warn({ reason }, "tokens without Event Grid's role are accepted");
  }

  /** Whether deliveries are welcome: the keys are there, and the end has not begun. */
  isReady(): boolean {
    return this.#parts.isReady();
  }

  get isEnding(): boolean {
    return this.#parts.draining.isRefusing;
  }

  /** Whether all handler slots, or all places for deliveries, are held by handlers that do not end. */
  isStuck(): boolean {
    const { slots, capacity, settings } = this.#parts;
    const patienceMs = 2 * settings.deadlineMs;
    return slots.isStuckFor(patienceMs) || capacity.isStuckFor(patienceMs);
  }

  /** Fetches the signing keys once, whether that succeeds or not, and waits a while for it. */
  async start(): Promise<void> {
    await isDoneWithin(START_PATIENCE_MS, this.#parts.keys.prefetch());
  }

  /** Says that it is not ready, still takes deliveries for the lag, then finishes those in flight. */
  drain(lagMs = this.#drainLagMs): Promise<void> {
    const { draining, settings } = this.#parts;
    return draining.drain(lagMs, settings.deadlineMs + GRACE_MS);
  }

  stop(): void {
    this.#parts.keys.stop();
  }

  handshake(request: FastifyRequest, reply: FastifyReply): void {
    this.#parts.handshake.answer(request, reply);
  }

  /** Decides from the headers of a delivery; unless `next` is called, it has been answered. */
  admit(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    this.#admission.admit(request, reply, next);
  }

  readBody(
    delivery: Delivery,
    payload: IncomingMessage,
    done: (error: Error | null, body?: unknown) => void,
  ): void {
    const { capacity, settings } = this.#parts;
    readBody(payload, delivery, capacity, settings.limits.bodyBytes, done);
  }

  /** Handles the events of a delivery and answers it. */
  handle(delivery: Delivery, body: Buffer): void {
    if (!delivery.beginHandling()) return;
    const process = () => after(this.#process(delivery, body), answerOutcomes, delivery);
    void after(caught(process, this.#failed, delivery), endHandling, delivery);
  }

  readonly #failed = (error: unknown, delivery: Delivery): void => this.fail(delivery, error);

  #process(delivery: Delivery, body: Buffer): Awaitable<void> {
    const { processor, settings } = this.#parts;
    const { limits } = settings;
    const events = readEvents(delivery.mode, delivery.request.raw, body);
    if (events.length > limits.events) {
      throw new Refusal(413, `${events.length} events are more than ${limits.events}`);
    }
    delivery.received = events;
    logMalformed(delivery);
    const [only] = events;
    if (only === undefined || events.length > 1) {
      return processBatch(events, delivery, processor, limits.handlersPerBatch);
    }
    return after(processor.process(only, delivery, 0), putFirst, delivery.outcomes);
  }

  /** Answers a delivery that could not be taken in. */
  fail(delivery: Delivery, error: unknown): void {
    const status = statusOfError(error);
    if (error instanceof InvalidEnvelopeError) {
      delivery.log.warn({ problems: problemsOf(error) }, "not a CloudEvent");
    } else if (status === 500) {
      delivery.log.error({ err: readableError(error) }, "unexpected failure");
    } else if (error instanceof Error) {
      delivery.log.warn({ reason: error.message }, "delivery refused");
    }
    delivery.answer(status);
  }

  expired(delivery: Delivery): void {
    const { handlers, metrics } = this.#parts;
    delivery.log.warn(expiryOf(delivery, handlers, metrics), "deadline passed");
  }

  answered(delivery: Delivery, status: number): void {
    this.#parts.deadlines.remove(delivery);
    this.#parts.metrics.delivery(status);
    const line = {
      status,
      subscription: delivery.subscriptionName,
      attempt: delivery.deliveryCount,
      events: delivery.batchSize,
      outcomes: counted(delivery.outcomes),
      ms: Math.round((performance.now() - delivery.arrivedAt) * 10) / 10,
    };
    delivery.log.info(line, "delivery");
  }

  ended(delivery: Delivery): void {
    if (!delivery.isAnswered) delivery.log.warn("the caller went away before it was answered");
    this.#parts.deadlines.remove(delivery);
    this.#parts.capacity.giveBack(delivery.heldBytes);
    this.#parts.draining.leave();
    this.#parts.metrics.inFlight(-1);
  }
}

function putFirst(outcome: Outcome, outcomes: Outcome[]): void {
  outcomes[0] = outcome;
}

function answerOutcomes(_processed: unknown, delivery: Delivery): void {
  delivery.answer(statusOf(delivery.outcomes));
}

function endHandling(_answered: unknown, delivery: Delivery): void {
  delivery.endHandling();
}

/** Answers what went wrong outside of any delivery. */
export function answerError(error: unknown, reply: FastifyReply): void {
  const status = statusOfError(error);
  if (status === 500) reply.log.error({ err: readableError(error) }, "unexpected failure");
  answer(reply, status);
}

function statusOfError(error: unknown): number {
  if (error instanceof InvalidEnvelopeError) return 400;
  if (error instanceof Refusal) return error.status;
  // Fastify's own errors, such as an unreadable Content-Type, say what they are in `statusCode`.
  if (error instanceof Error && "statusCode" in error && typeof error.statusCode === "number") {
    return error.statusCode >= 400 && error.statusCode < 600 ? error.statusCode : 500;
  }
  return 500;
}

function counted(
  outcomes: readonly Outcome[],
): Outcome | Partial<Record<Outcome, number>> | undefined {
  if (outcomes.length < 2) return outcomes[0];
  const counts: Partial<Record<Outcome, number>> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
