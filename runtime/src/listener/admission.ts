import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { answer, answerEarly, endConnection, refuse } from "./answers.js";
import type { Verdict } from "./authentication.js";
import { contentMode } from "./content.js";
import { Delivery, type DeliveryHost } from "./delivery.js";
import { Denial } from "./denial.js";
import type { VerifiedCaller } from "./event-context.js";
import { announcedLength, headerText } from "./headers.js";
import { Notices } from "./notices.js";
import type { WebhookParts } from "./parts.js";
import { whenOver } from "./request-end.js";
import type { WebhookSettings } from "./settings.js";

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
  readonly #notices: Notices;
  readonly #onVerified: OnVerified | undefined;

  constructor(
    parts: WebhookParts,
    host: DeliveryHost,
    onSubscriptionEnd: WebhookSettings["onSubscriptionEnd"],
    onVerified: OnVerified | undefined,
  ) {
    this.#parts = parts;
    this.#host = host;
    this.#notices = new Notices(parts, onSubscriptionEnd);
    this.#onVerified = onVerified;
  }

  admit(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    if (isGone(request)) return;
    if (this.#parts.draining.isRefusing) {
      sendAway(reply);
      return;
    }
    const verdict = this.#parts.authenticator.authenticate(request.raw);
    if (verdict instanceof Promise) this.#await(verdict, request, reply, next);
    else this.#judged(verdict, request, reply, next);
  }

  /** A request that waits for a key is in flight: an end that begins meanwhile waits for its answer. */
  #await(
    verdict: Promise<Verdict>,
    request: FastifyRequest,
    reply: FastifyReply,
    next: () => void,
  ): void {
    const { draining } = this.#parts;
    draining.enter();
    whenOver(reply, () => draining.leave());
    verdict.then(
      (judged) => {
        if (isGone(request)) return;
        if (draining.isRefusing) sendAway(reply);
        else this.#judged(judged, request, reply, next);
      },
      (error: unknown) => {
        request.log.error({ err: error }, "token could not be judged");
        answerEarly(reply, 503);
      },
    );
  }

  #judged(verdict: Verdict, request: FastifyRequest, reply: FastifyReply, next: () => void): void {
    if (verdict instanceof Denial) {
      this.#parts.metrics.denial(verdict.reason);
      this.#parts.denials.write(verdict, request.log);
      answerEarly(reply, verdict.status);
      return;
    }
    this.#onVerified?.(request.raw);
    const kind = headerText(request.raw.headers["aeg-event-type"]);
    if (kind !== undefined && this.#notices.take(kind, verdict, reply)) return;
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
}

/**
 * Whether the caller went away while the app's hooks or the issuer took their time. It is not seen
 * to go again: what such a request took would never be given back.
 */
function isGone({ raw }: FastifyRequest): boolean {
  // Out of date by Node's word, but nothing else tells it of HTTP/1 and HTTP/2 alike.
  return raw.aborted === true;
}

/** The answer of a listener that ends: another replica is to be asked, over another connection. */
function sendAway(reply: FastifyReply): void {
  endConnection(reply);
  answer(reply, 503);
}
