import type { FastifyReply } from "fastify";
import { answerEarly, refuse } from "./answers.js";
import type { VerifiedCaller } from "./event-context.js";
import { headerText } from "./headers.js";
import type { WebhookParts } from "./parts.js";
import { isDoneWithin } from "./patience.js";
import { whenOver } from "./request-end.js";
import type { SubscriptionEnd, WebhookSettings } from "./settings.js";
import { readableError } from "./thrown.js";

/** Takes what Event Grid says about the subscription itself. */
export class Notices {
  readonly #parts: Pick<WebhookParts, "capacity" | "draining" | "settings">;
  readonly #onSubscriptionEnd: WebhookSettings["onSubscriptionEnd"];

  constructor(
    parts: Pick<WebhookParts, "capacity" | "draining" | "settings">,
    onSubscriptionEnd: WebhookSettings["onSubscriptionEnd"],
  ) {
    this.#parts = parts;
    this.#onSubscriptionEnd = onSubscriptionEnd;
  }

  /**
   * Answers a request whose kind, its `aeg-event-type`, is a notice.
   *
   * @returns whether it is one; all other kinds are deliveries of events
   */
  take(kind: string, caller: VerifiedCaller, reply: FastifyReply): boolean {
    if (kind === "Notification") return false;
    const lowerCase = kind.toLowerCase();
    if (lowerCase === "subscriptionvalidation") {
      const advice = "the subscription delivers in Event Grid's own schema: set it to CloudEvents";
      refuse(reply, 400, advice);
      return true;
    }
    const end = ends.get(lowerCase);
    if (end === undefined) return false;
    const subscriptionName = headerText(reply.request.raw.headers["aeg-subscription-name"]);
    reply.log.info({ kind: end, subscription: subscriptionName }, "subscription ended");
    void this.#report({ kind: end, subscriptionName, caller }, reply);
    return true;
  }

  async #report(end: SubscriptionEnd, reply: FastifyReply): Promise<void> {
    const { capacity, draining, settings } = this.#parts;
    if (!capacity.tryTake(0)) {
      refuse(reply, 503, "over capacity");
      return;
    }
    draining.enter();
    whenOver(reply, () => draining.leave());
    const reported = Promise.resolve(end).then(this.#onSubscriptionEnd);
    // As a handler does, a hook keeps its place until it has ended.
    const giveBack = () => capacity.giveBack(0);
    reported.then(giveBack, giveBack);
    try {
      const isDone = await isDoneWithin(settings.deadlineMs, reported);
      if (!isDone) reply.log.error("onSubscriptionEnd took too long");
      answerEarly(reply, isDone ? 200 : 503);
    } catch (error) {
      reply.log.error({ err: readableError(error) }, "onSubscriptionEnd failed");
      answerEarly(reply, 503);
    }
  }
}

/** By their names in lower case, as everything that others write in headers is compared. */
const ends: ReadonlyMap<string, SubscriptionEnd["kind"]> = new Map([
  ["subscriptiondeletion", "SubscriptionDeletion"],
  ["unsubscribe", "Unsubscribe"],
]);
