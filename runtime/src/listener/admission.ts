import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answer, answerEarly } from "./answers.js";
import type { Verdict } from "./authentication.js";
import { announcedLength } from "./body.js";
import { contentMode } from "./content.js";
import { Delivery, type DeliveryHost } from "./delivery.js";
import { Denial } from "./denial.js";
import type { VerifiedCaller } from "./event-context.js";
import type { WebhookParts } from "./parts.js";
import { isDoneWithin } from "./patience.js";
import type { SubscriptionEnd, WebhookSettings } from "./settings.js";
import { readableError } from "./thrown.js";

declare module "fastify" {
  interface FastifyRequest {
    /** @internal the delivery that a webhook request was admitted as */
    eventGridDelivery: Delivery | null;
  }
}

/** Called for every request of a verified caller. */
export type OnVerified = (request: IncomingMessage) => void;

/** Decides by its headers alone, before any of its body is read, whether a delivery is taken in. */
export class Admission {
  readonly #parts: WebhookParts;
  readonly #host: DeliveryHost;
  readonly #onSubscriptionEnd: WebhookSettings["onSubscriptionEnd"];
  readonly #onVerified: OnVerified | undefined;

  constructor(
    parts: WebhookParts,
    host: DeliveryHost,
    onSubscriptionEnd: WebhookSettings["onSubscriptionEnd"],
    onVerified: OnVerified | undefined,
  ) {
    this.#parts = parts;
    this.#host = host;
    this.#onSubscriptionEnd = onSubscriptionEnd;
    this.#onVerified = onVerified;
  }

  admit(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    if (this.#parts.draining.isRefusing) {
      reply.header("connection", "close");
      answer(reply, 503);
      return;
    }
    const verdict = this.#parts.authenticator.authenticate(request.raw);
    if (verdict instanceof Promise) {
      verdict.then(
        (judged) => this.#judged(judged, request, reply, next),
        (error: unknown) => {
          request.log.error({ err: error }, "token could not be judged");
          answerEarly(reply, 503);
        },
      );
    } else {
      this.#judged(verdict, request, reply, next);
    }
  }

  #judged(verdict: Verdict, request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    if (verdict instanceof Denial) {
      this.#parts.metrics.denial(verdict.reason);
      this.#parts.denials.write(verdict, request.log);
      answerEarly(reply, verdict.status);
      return;
    }
    this.#onVerified?.(request.raw);
    const kind = request.raw.headers["aeg-event-type"];
    if (typeof kind === "string" && this.#isNotice(kind, verdict, request, reply)) return;
    this.#admitEvents(verdict, request, reply, next);
  }

  #admitEvents(
    caller: VerifiedCaller,
    request: FastifyRequest,
    reply: FastifyReply,
    next: () => void,
  ): void {
    const { capacity, deadlines, draining, metrics, settings } = this.#parts;
    const mode = contentMode(request.raw);
    if (mode === undefined) {
      refuse(reply, 415, "media type or encoding not understood");
      return;
    }
    const announced = announcedLength(request.raw);
    if (announced !== undefined && announced > settings.limits.bodyBytes) {
      refuse(reply, 413, `a body of ${announced} bytes is too large`);
      return;
    }
    const held = announced ?? 0;
    if (!capacity.tryTake(held)) {
      refuse(reply, 503, "over capacity");
      return;
    }
    draining.enter();
    metrics.inFlight(1);
    const delivery = new Delivery(this.#host, reply, caller, mode, held);
    deadlines.add(delivery);
    request.eventGridDelivery = delivery;
    next();
  }

  /** Takes what Event Grid says about the subscription itself; other kinds are read as events. */
  #isNotice(
    kind: string,
    caller: VerifiedCaller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): boolean {
    if (kind === "SubscriptionDeletion" || kind === "Unsubscribe") {
      const name = request.raw.headers["aeg-subscription-name"];
      const subscriptionName = typeof name === "string" ? name : undefined;
      request.log.info({ kind, subscription: subscriptionName }, "subscription ended");
      void this.#report({ kind, subscriptionName, caller }, request, reply);
      return true;
    }
    if (kind === "SubscriptionValidation") {
      const advice = "the subscription delivers in Event Grid's own schema: set it to CloudEvents";
      refuse(reply, 400, advice);
      return true;
    }
    return false;
  }

  async #report(end: SubscriptionEnd, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { draining, settings } = this.#parts;
    draining.enter();
    try {
      const reported = Promise.resolve(end).then(this.#onSubscriptionEnd);
      const isDone = await isDoneWithin(settings.deadlineMs, reported);
      if (!isDone) request.log.error("onSubscriptionEnd took too long");
      answerEarly(reply, isDone ? 200 : 503);
    } catch (error) {
      request.log.error({ err: readableError(error) }, "onSubscriptionEnd failed");
      answerEarly(reply, 503);
    }
    draining.leave();
  }
}

function refuse(reply: FastifyReply, status: number, reason: string): void {
  reply.log.warn({ status, reason }, "delivery refused");
  answerEarly(reply, status);
}
